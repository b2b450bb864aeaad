// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.probe/1`. A test holds real output against it.
enum ProbeSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:probe:1",
      "title": "libre.probe/1",
      "description": "Whether receivers are there and let us in.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.probe/1"},
        "sinks": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": {"type": "string"},
              "state": {"enum": ["success", "error"]},
              "error": {"enum": ["partial", "unavailable", "refused", "misdirected", null]},
              "reason": {"type": ["string", "null"]}
            },
            "required": ["name", "state", "error", "reason"]
          }
        }
      },
      "required": ["schema", "sinks"]
    }
    """#
}
