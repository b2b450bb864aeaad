// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.error/1`. A test holds real output against it.
enum ErrorSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:error:1",
      "title": "libre.error/1",
      "description": "Why there is no reading.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.error/1"},
        "code": {"type": "string", "pattern": "^[a-z0-9_]+$"},
        "message": {"type": "string", "minLength": 1},
        "resolution": {"type": "string", "minLength": 1},
        "family": {"type": "string"},
        "source": {
          "type": "object",
          "properties": {"path": {"type": ["string", "null"]}, "dump": {"type": "integer", "minimum": 1}},
          "required": ["path"]
        }
      },
      "required": ["schema", "code", "message", "resolution", "source"]
    }
    """#
}
