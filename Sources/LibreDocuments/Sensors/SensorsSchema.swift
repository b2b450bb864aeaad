// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.sensors/1`. A test holds real output against it.
enum SensorsSchema {
  /// A sensor's state; null where nobody knows it.
  static let state = #"""
    {"enum": ["not_activated", "warming_up", "active", "expired", "shutdown", "failure", "unknown", null]}
    """#

  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:sensors:1",
      "title": "libre.sensors/1",
      "description": "The sensors of the store, or one of them, each with its wears.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.sensors/1"},
        "sensors": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "uid": {"type": ["string", "null"], "pattern": "^E0[0-9A-F]{14}$"},
              "serial": {"type": ["string", "null"]},
              "fingerprint": {"type": ["string", "null"], "pattern": "^[0-9A-F]{32}$"},
              "family": {"type": "string"},
              "region": {"type": ["string", "null"]},
              "patch_info": {"type": ["string", "null"], "pattern": "^([0-9A-F]{2}){6,24}$"},
              "max_life_minutes": {"type": ["integer", "null"], "minimum": 0, "maximum": 65535},
              "wears": {"type": "array", "items": {"$ref": "#/$defs/wear"}}
            },
            "required": [
              "uid", "serial", "fingerprint", "family", "region", "patch_info", "max_life_minutes", "wears"
            ]
          }
        }
      },
      "required": ["schema", "sensors"],
      "$defs": {
        "wear": {
          "type": "object",
          "properties": {
            "number": {"type": "integer", "minimum": 1},
            "activated_at": \#(SchemaPart.time),
            "activated_after": \#(SchemaPart.time),
            "activated_until": \#(SchemaPart.time),
            "anchored_by": {"enum": ["scan", "history", "user", null]},
            "is_provisional": {
              "type": "boolean", "description": "True while only the modification time of a file tells activated_at."
            },
            "is_fixed": {"type": "boolean", "description": "True once a time of it has been shown."},
            "expires_at": \#(SchemaPart.time),
            "last_read_at": \#(SchemaPart.time),
            "last_age_minutes": {"type": ["integer", "null"], "minimum": 0},
            "last_state": \#(state),
            "state_now": \#(state),
            "scans": {"type": "integer", "minimum": 0},
            "history_samples": {"type": "integer", "minimum": 0},
            "trend_samples": {"type": "integer", "minimum": 0},
            "newest_minute": {"type": ["integer", "null"], "minimum": 1},
            "clock_disagreement_seconds": {
              "type": ["integer", "null"],
              "description": "By which the latest dated scan dates the start later than activated_at."
            },
            "clock_drift_seconds_per_day": {"type": ["number", "null"]},
            "conflicts": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "ring": {"enum": ["history", "trend"]},
                  "minute": {"type": "integer", "minimum": 1},
                  "kept": \#(SchemaPart.counts()),
                  "other": \#(SchemaPart.counts()),
                  "is_other_salvaged": {"type": "boolean"}
                },
                "required": ["ring", "minute", "kept", "other", "is_other_salvaged"]
              }
            },
            "user_calibration": {
              "type": ["object", "null"],
              "properties": {
                "slope": {"type": "number"},
                "offset_mg_dl": {"type": "number"},
                "made_at": {"type": "string"},
                "points": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "time": {"type": "string"},
                      "factory_mg_dl": {"type": "number"},
                      "blood_mg_dl": {"type": "number"}
                    },
                    "required": ["time", "factory_mg_dl", "blood_mg_dl"]
                  }
                }
              },
              "required": ["slope", "offset_mg_dl", "made_at", "points"]
            }
          },
          "required": [
            "number", "activated_at", "activated_after", "activated_until", "anchored_by", "is_provisional", "is_fixed",
            "expires_at",            "last_read_at", "last_age_minutes", "last_state", "state_now", "scans", "history_samples", "trend_samples",
            "newest_minute", "clock_disagreement_seconds", "clock_drift_seconds_per_day", "conflicts", "user_calibration"
          ]
        }
      }
    }
    """#
}
