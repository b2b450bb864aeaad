// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.sync/1`. A test holds real output against it.
enum SyncSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:sync:1",
      "title": "libre.sync/1",
      "description": "What happened while samples were sent to a sink: one event. With --dry-run, what would happen: events that begin with would.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.sync/1"},
        "event": {
          "enum": [
            "syncing", "success", "failed", "nothingToSync", "retryScheduled", "paused", "completed", "wouldSync",
            "wouldLeaveOut", "wouldAsk", "wouldSend"
          ]
        },
        "sink": {"type": "string"},
        "at": {"type": "string"},
        "batch": {"type": ["string", "null"], "description": "The same for every attempt: the Idempotency-Key."},
        "stage": {"enum": ["historical", "daily"]},
        "accepted": {"type": "integer", "minimum": 0},
        "duplicates": {"type": ["integer", "null"], "minimum": 0, "description": "Null where the receiver does not say."},
        "from": \#(SchemaPart.time),
        "to": \#(SchemaPart.time),
        "samples": {"type": "array", "items": {"type": "string"}},
        "outcome": {
          "enum": [
            "unavailable", "too_large", "rejected", "unsuitable", "refused", "misdirected", "unequipped",
            "session_ended"
          ]
        },
        "reason": {"type": "string"},
        "rejected": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {"id": {"type": ["string", "null"]}, "reason": {"type": "string"}},
            "required": ["id", "reason"]
          }
        },
        "retry_at": \#(SchemaPart.time),
        "pending": {"type": "integer", "minimum": 0},
        "dead": {"type": "integer", "minimum": 0},
        "destination": {"type": "string"},
        "obstacle": {"type": ["string", "null"], "description": "Why nothing is sent."},
        "id": {"type": ["string", "null"]},
        "purpose": {"type": "string", "description": "Of a question that comes before samples."},
        "request": {"type": "string", "description": "What would be sent, with placeholders for secrets."}
      },
      "required": ["schema", "event", "sink", "at"],
      "additionalProperties": false
    }
    """#
}
