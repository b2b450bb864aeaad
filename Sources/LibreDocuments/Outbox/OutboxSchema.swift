// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.outbox/1`. A test holds real output against it.
enum OutboxSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:outbox:1",
      "title": "libre.outbox/1",
      "description": "What sinks lack, and what they would not take.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.outbox/1"},
        "sinks": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": {"type": "string"},
              "pending": {"type": "integer", "minimum": 0},
              "oldest_pending_at": \#(SchemaPart.time),
              "retry_at": \#(SchemaPart.time),
              "dead": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "id": {"type": ["string", "null"]},
                    "time": \#(SchemaPart.time),
                    "ring": {"enum": ["history", "trend"]},
                    "minute": {"type": "integer", "minimum": 1},
                    "glucose_mg_dl": {"type": ["number", "null"]},
                    "reason": {"type": "string"},
                    "parked_at": {"type": "string"}
                  },
                  "required": ["id", "time", "ring", "minute", "glucose_mg_dl", "reason", "parked_at"]
                }
              }
            },
            "required": ["name", "pending", "oldest_pending_at", "retry_at", "dead"]
          }
        }
      },
      "required": ["schema", "sinks"]
    }
    """#
}
