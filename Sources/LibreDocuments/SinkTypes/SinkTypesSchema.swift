// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.sink_types/1`. A test holds real output against it.
enum SinkTypesSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:sink_types:1",
      "title": "libre.sink_types/1",
      "description": "What can be set up as a sink.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.sink_types/1"},
        "types": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": {"type": "string"},
              "summary": {"type": "string"},
              "secret": {"enum": ["required", "optional", "none"]},
              "send": {"type": "array", "items": {"type": "string"}},
              "keys": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "key": {"type": "string"},
                    "summary": {"type": "string"},
                    "default": {"type": ["string", "null"], "description": "Null if it has to be given."},
                    "choices": {"type": "array", "items": {"type": "string"}, "description": "Empty for any text."}
                  },
                  "required": ["key", "summary", "default", "choices"]
                }
              }
            },
            "required": ["name", "summary", "secret", "send", "keys"]
          }
        }
      },
      "required": ["schema", "types"]
    }
    """#
}
