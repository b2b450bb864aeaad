// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.sinks/1`. A test holds real output against it.
enum SinksSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:sinks:1",
      "title": "libre.sinks/1",
      "description": "The sinks that are set up or enrolled, and how sending to them goes.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.sinks/1"},
        "sinks": {"type": "array", "items": \#(sink)}
      },
      "required": ["schema", "sinks"]
    }
    """#

  /// One of them.
  static let sink = #"""
    {
      "type": "object",
      "properties": {
        "name": {"type": "string"},
        "type": {"type": ["string", "null"], "description": "Null where the configuration does not tell."},
        "destination": {"type": ["string", "null"]},
        "status": {"enum": ["pending", "unavailable", "disabled", "enabled"]},
        "status_code": {"enum": [0, 1, 2, 3]},
        "reason": {"type": ["string", "null"], "description": "Why, unless it is enabled."},
        "resolution": {"type": ["string", "null"]},
        "send": {
          "type": "array",
          "items": {"enum": ["glucose.history", "glucose.trend", "sensor", "raw", "statistics"]}
        },
        "calibration": {"type": ["string", "null"], "description": "What makes the values that it gets."},
        "backfill_days": {"type": ["integer", "null"], "minimum": 0},
        "secret_from": {"type": ["string", "null"], "description": "Where the secret is; never the secret."},
        "enrolled_at": \#(SchemaPart.time),
        "sends_from": \#(SchemaPart.time),
        "pending": {"type": ["integer", "null"], "minimum": 0},
        "oldest_pending_at": \#(SchemaPart.time),
        "dead": {"type": ["integer", "null"], "minimum": 0},
        "failures": {"type": ["integer", "null"], "minimum": 0, "description": "Since the last success."},
        "retry_at": \#(SchemaPart.time),
        "last_success_at": \#(SchemaPart.time),
        "last_error": {"type": ["string", "null"]},
        "told": {"type": "object", "additionalProperties": {"type": "string"}}
      },
      "required": [
        "name", "type", "destination", "status", "status_code", "reason", "resolution", "send", "calibration", "backfill_days",
        "secret_from", "enrolled_at", "sends_from", "pending", "oldest_pending_at", "dead", "failures", "retry_at",
        "last_success_at", "last_error", "told"
      ]
    }
    """#
}
