// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.status/1`. A test holds real output against it.
enum StatusSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:status:1",
      "title": "libre.status/1",
      "description": "Readers, sensor, store and sinks at a moment. Not for treatment decisions.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.status/1"},
        "tool": {"type": "string"},
        "at": {"type": "string"},
        "readers": {
          "type": "object",
          "properties": {
            "status": {"enum": ["pending", "unavailable", "enabled"]},
            "status_code": {"enum": [0, 1, 3]},
            "found": {"type": "array", "items": {"type": "string"}}
          },
          "required": ["status", "status_code", "found"]
        },
        "store": {
          "type": "object",
          "properties": {
            "path": {"type": "string"},
            "sensors": {"type": ["integer", "null"], "minimum": 0, "description": "Null where there is no store."},
            "error": {"type": ["string", "null"]}
          },
          "required": ["path", "sensors", "error"]
        },
        "sensor": {
          "type": ["object", "null"],
          "properties": {
            "uid": {"type": ["string", "null"], "pattern": "^E0[0-9A-F]{14}$"},
            "serial": {"type": ["string", "null"]},
            "family": {"type": "string"},
            "state_now": \#(SensorsSchema.state),
            "expires_at": \#(SchemaPart.time),
            "last_read_at": \#(SchemaPart.time)
          },
          "required": ["uid", "serial", "family", "state_now", "expires_at", "last_read_at"]
        },
        "latest": {
          "type": ["object", "null"],
          "properties": {
            "time": \#(SchemaPart.time),
            "glucose_mg_dl": {"type": "number"},
            "age_minutes": {"type": ["integer", "null"]},
            "stale": {"type": "boolean"}
          },
          "required": ["time", "glucose_mg_dl", "age_minutes", "stale"]
        },
        "sinks": {"type": "array", "items": \#(SinksSchema.sink)}
      },
      "required": ["schema", "tool", "at", "readers", "store", "sensor", "latest", "sinks"]
    }
    """#
}
