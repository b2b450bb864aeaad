// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.readers/1`. A test holds real output against it.
enum ReadersSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:readers:1",
      "title": "libre.readers/1",
      "description": "The readers that are plugged in, and the ways on which they were looked for.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.readers/1"},
        "tool": {"type": "string", "pattern": "^libre "},
        "readers": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "address": {"type": "string", "pattern": "^[a-z]+(:.+)?$", "description": "As for --reader."},
              "name": {"type": "string", "description": "As the driver calls it."},
              "presence": {"enum": ["nothing", "iso15693", "other_card", "busy", "unknown"]},
              "iso15693": {"enum": ["yes", "no", "unknown"], "description": "Whether it reads what sensors are."},
              "reason": {"type": ["string", "null"], "description": "Why that is no plain yes."},
              "known_as": {"type": ["string", "null"], "description": "Its title in libre readers --supported."},
              "dialects": {"type": "array", "items": {"type": "string", "pattern": "^[a-z0-9-]+$"}},
              "driver": {"type": ["string", "null"]},
              "note": {"type": ["string", "null"]}
            },
            "required": [
              "address", "name", "presence", "iso15693", "reason", "known_as", "dialects", "driver", "note"
            ]
          }
        },
        "ways": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "scheme": {"type": "string", "pattern": "^[a-z]+$"},
              "summary": {"type": "string"},
              "error": {
                "type": ["object", "null"],
                "description": "Why this way cannot be used now.",
                "properties": {
                  "code": {"type": "string", "pattern": "^[a-z0-9_]+$"},
                  "message": {"type": "string", "minLength": 1},
                  "resolution": {"type": "string", "minLength": 1}
                },
                "required": ["code", "message", "resolution"]
              }
            },
            "required": ["scheme", "summary", "error"]
          }
        }
      },
      "required": ["schema", "tool", "readers", "ways"]
    }
    """#
}
