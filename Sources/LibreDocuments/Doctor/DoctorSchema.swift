// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.doctor/1`. A test holds real output against it.
enum DoctorSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:doctor:1",
      "title": "libre.doctor/1",
      "description": "Whether a sensor can be read on this machine, and what to do if not.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.doctor/1"},
        "tool": {"type": "string", "pattern": "^libre "},
        "outlook": {"enum": ["ready", "perhaps", "not_ready"]},
        "summary": {"type": "string", "pattern": "^(Ready|Perhaps ready|Not ready): "},
        "exit_status": {"enum": [0, 69, 77]},
        "checks": {
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "properties": {
              "name": {"type": "string", "pattern": "^[a-z][a-z_]*$"},
              "verdict": {"enum": ["good", "note", "warning", "bad"]},
              "message": {"type": "string", "minLength": 1},
              "advice": {"type": ["string", "null"], "minLength": 1},
              "remedy": {
                "type": ["string", "null"],
                "minLength": 1,
                "description": "A line for the shell; null where there is nothing to mend."
              }
            },
            "required": ["name", "verdict", "message", "advice", "remedy"]
          }
        },
        "time_zone": {
          "type": "object",
          "properties": {
            "name": {"type": ["string", "null"]},
            "is_known": {"type": "boolean", "description": "False if TZ names a zone that the system does not have."},
            "offset_2024_01_02": {"type": "string", "pattern": "^[+-][0-9]{2}:[0-9]{2}$"},
            "offset_2024_05_02": {"type": "string", "pattern": "^[+-][0-9]{2}:[0-9]{2}$"}
          },
          "required": ["name", "is_known", "offset_2024_01_02", "offset_2024_05_02"]
        }
      },
      "required": ["schema", "tool", "outlook", "summary", "exit_status", "checks", "time_zone"]
    }
    """#
}
