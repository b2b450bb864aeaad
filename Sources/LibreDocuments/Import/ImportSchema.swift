// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.import/1`. A test holds real output against it.
enum ImportSchema {
  static let text = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:import:1",
      "title": "libre.import/1",
      "description": "What importing one file gave.",
      "type": "object",
      "required": ["schema", "path", "format", "scans", "new_scans", "added", "filled", "known", "conflicts", "left_out",
        "clock_disagreement_seconds", "is_provisional", "sensors"],
      "properties": {
        "schema": { "const": "libre.import/1" },
        "path": { "type": "string" },
        "format": { "type": "string", "description": "a name of libre formats" },
        "scans": { "type": "integer", "minimum": 0, "description": "memories in the file that were taken" },
        "new_scans": { "type": "integer", "minimum": 0, "description": "those that were not in the store before" },
        "added": { "type": "integer", "minimum": 0, "description": "values that were not in the store before" },
        "filled": { "type": "integer", "minimum": 0, "description": "values that replaced an error or a missing value" },
        "known": { "type": "integer", "minimum": 0, "description": "values that were there already" },
        "conflicts": { "type": "integer", "minimum": 0, "description": "samples that were there with other counts" },
        "clock_disagreement_seconds": {
          "type": ["integer", "null"], "description": "how much later a scan dates the start of a sensor than the store does, over two minutes"
        },
        "is_provisional": { "type": "boolean", "description": "true if only the modification time of a file tells when a sensor was started" },
        "left_out": { "type": "integer", "minimum": 0, "description": "values of ignored sources, and such as were removed earlier" },
        "sensors": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["uid", "serial", "fingerprint"],
            "properties": {
              "uid": { "type": ["string", "null"], "pattern": "^E0[0-9A-F]{14}$" },
              "serial": { "type": ["string", "null"] },
              "fingerprint": { "type": ["string", "null"], "pattern": "^[0-9A-F]{32}$" }
            }
          }
        }
      }
    }
    """
}
