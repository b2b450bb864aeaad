// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.latest/1`. A test holds real output against it.
enum LatestSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:latest:1",
      "title": "libre.latest/1",
      "description": "The newest usable value of the store. Not for treatment decisions.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.latest/1"},
        "time": \#(SchemaPart.time),
        "age_minutes": {"type": ["integer", "null"], "description": "Negative where clocks disagree; null without a time."},
        "stale": {"type": "boolean", "description": "True unless it is at most 20 minutes old."},
        "glucose_mg_dl": {"type": "number"},
        "glucose_mmol_l": {"type": "number"},
        "bound": {"enum": ["low", "high", null], "description": "what the value is the limit of; null for a measured one"},
        "rate_mg_dl_per_min": {"type": ["number", "null"], "description": "Null for a stale value too."},
        "direction": {
          "enum": [
            "DoubleUp", "SingleUp", "FortyFiveUp", "Flat", "FortyFiveDown", "SingleDown", "DoubleDown", "NOT COMPUTABLE"
          ]
        },
        "change_15_min_mg_dl": {
          "type": ["number", "null"],
          "description": "Against the value of the same sensor or program 15 minutes before, or of two minutes round that."
        },
        "sensor": {
          "type": ["object", "null"],
          "description": "Null for an imported value.",
          "properties": {
            "uid": {"type": ["string", "null"], "pattern": "^E0[0-9A-F]{14}$"},
            "serial": {"type": ["string", "null"]},
            "family": {"type": "string"},
            "wear": {"type": "integer", "minimum": 1},
            "last_read_at": {"type": ["string", "null"]},
            "last_state": \#(SensorsSchema.state),
            "state_now": \#(SensorsSchema.state),
            "expires_at": {"type": ["string", "null"]}
          },
          "required": ["uid", "serial", "family", "wear", "last_read_at", "last_state", "state_now", "expires_at"]
        },
        "sample": {"$ref": "#/$defs/sample"}
      },
      "required": [
        "schema", "time", "age_minutes", "stale", "glucose_mg_dl", "glucose_mmol_l", "bound",
        "rate_mg_dl_per_min", "direction",
        "change_15_min_mg_dl", "sensor", "sample"
      ],
      "$defs": {"sample": \#(SampleSchema.object)}
    }
    """#
}
