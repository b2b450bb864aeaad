// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.batch/1`. A test holds real output against it.
enum BatchSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:batch:1",
      "title": "libre.batch/1",
      "description": "What a webhook gets: samples of one wear of one sensor, oldest first. Not for treatment decisions.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.batch/1"},
        "key": {
          "type": "string",
          "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
          "description": "The same whenever the batch is sent again: the Idempotency-Key."
        },
        "stage": {
          "enum": ["historical", "daily"],
          "description": "Samples from before the sink was set up, or later ones."
        },
        "tool": {"type": "string"},
        "user": {"type": "string", "description": "Present if the sink's setting user is."},
        "sensor": {
          "type": "object",
          "description": "From uid on: present if the sink is sent the part sensor.",
          "properties": {
            "serial": {"type": ["string", "null"]},
            "family": {"type": "string"},
            "wear": {"type": "integer", "minimum": 1},
            "uid": {"type": ["string", "null"], "pattern": "^E0[0-9A-F]{14}$"},
            "state": \#(SensorsSchema.state),
            "activated_at": \#(SchemaPart.time),
            "expires_at": \#(SchemaPart.time),
            "last_read_at": \#(SchemaPart.time)
          },
          "required": ["serial", "family", "wear"],
          "additionalProperties": false
        },
        "samples": {
          "type": "array",
          "description": "Each libre.sample/1 if the sink is sent the part raw, else its first facts.",
          "items": {
            "oneOf": [
              {"$ref": "#/$defs/sample"},
              {
                "type": "object",
                "properties": {
                  "id": {"type": "string"},
                  "ring": {"enum": ["history", "trend"]},
                  "minute": {"type": "integer", "minimum": 1},
                  "time": \#(SchemaPart.time),
                  "glucose_mg_dl": {"type": "number"}
                },
                "required": ["id", "ring", "minute", "time", "glucose_mg_dl"],
                "additionalProperties": false
              }
            ]
          }
        },
        "current": {
          "type": ["object", "null"],
          "description": "The value of now, if it is among the samples; present if the sink is sent the part glucose.trend.",
          "properties": {
            "minute": {"type": "integer", "minimum": 1},
            "glucose_mg_dl": {"type": ["number", "null"]},
            "rate_mg_dl_per_min": {"type": ["number", "null"]},
            "direction": {"type": "string"}
          },
          "required": ["minute", "glucose_mg_dl", "rate_mg_dl_per_min", "direction"]
        },
        "statistics": {
          "type": "object",
          "description": "Of the history values among the samples, with the names of libre.stats/1; present if the sink is sent the part statistics.",
          "properties": {
            "values": {"type": "integer", "minimum": 0},
            "expected": {"type": ["integer", "null"], "minimum": 0}
          },
          "required": ["values", "expected"],
          "additionalProperties": {"type": ["number", "null"]}
        }
      },
      "required": ["schema", "key", "stage", "tool", "sensor", "samples"],
      "additionalProperties": false,
      "$defs": {"sample": \#(SampleSchema.object)}
    }
    """#
}
