// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// What several of the JSON Schemas say in the same words.
enum SchemaPart {
  /// An instant, to the second, in UTC; null where it is not known.
  static let time = #"""
    {"type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"}
    """#

  /// A record's fields, in the widths that they have there. `type` is JSON's own, or a list of them.
  static func counts(_ type: String = #""object""#) -> String {
    #"""
    {
      "type": \#(type),
      "properties": {
        "glucose": {"type": "integer", "minimum": 0, "maximum": 16383},
        "temperature": {"type": "integer", "minimum": 0, "maximum": 16380},
        "temperature_adjustment": {"type": "integer", "minimum": -2044, "maximum": 2044},
        "has_error": {"type": "boolean"},
        "error_field": {"type": "integer", "minimum": 0, "maximum": 2047}
      },
      "required": ["glucose", "temperature", "temperature_adjustment", "has_error", "error_field"]
    }
    """#
  }
}
