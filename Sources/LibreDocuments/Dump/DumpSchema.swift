// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.dump/1`. A test holds real output against it.
enum DumpSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:dump:1",
      "title": "libre.dump/1",
      "description": "A sensor's memory as it was read, not decoded. Its members are also those of libre.reading/1.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.dump/1"},
        "read_at": \#(SchemaPart.time),
        "sensor": {
          "type": "object",
          "properties": {
            "uid": {"type": ["string", "null"], "pattern": "^E0[0-9A-F]{14}$"},
            "patch_info": {"type": ["string", "null"], "pattern": "^([0-9A-F]{2}){6,24}$"}
          },
          "required": ["uid", "patch_info"]
        },
        "memory": \#(memory)
      },
      "required": ["schema", "read_at", "sensor", "memory"]
    }
    """#

  /// The member that a dump and a reading share.
  static let memory = #"""
    {
          "type": "object",
          "properties": {
            "bytes": {"type": "string", "pattern": "^([0-9A-F]{2}){0,8800}$"},
            "missing_blocks": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 1029}}
          },
          "required": ["bytes", "missing_blocks"]
        }
    """#
}
