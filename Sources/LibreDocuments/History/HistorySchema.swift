// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.history/1`. A test holds real output against it.
enum HistorySchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:history:1",
      "title": "libre.history/1",
      "description": "Samples of the store, newest first, and where to go on from. Not for treatment decisions.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.history/1"},
        "samples": {"type": "array", "items": {"$ref": "#/$defs/sample"}},
        "deleted": {
          "type": "array",
          "description": "Ids of what was removed since --after.",
          "items": {
            "type": "string",
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
          }
        },
        "anchor": {"type": "string", "pattern": "^[0-9A-F]{16}-[0-9]+$", "description": "For the next --after."}
      },
      "required": ["schema", "samples", "deleted", "anchor"],
      "$defs": {"sample": \#(SampleSchema.object)}
    }
    """#
}
