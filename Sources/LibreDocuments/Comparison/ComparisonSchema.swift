// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.comparison/1`. A test holds real output against it.
enum ComparisonSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:comparison:1",
      "title": "libre.comparison/1",
      "description": "Calibrations held against a reference, or against the factory's over memories. Not for treatment decisions.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.comparison/1"},
        "reference": {"type": "string", "description": "finger-sticks, a file, factory, or official."},
        "reference_count": {"type": "integer", "minimum": 0},
        "within_minutes": {"type": "integer", "minimum": 0},
        "models": {"type": "array", "items": {"$ref": "#/$defs/model"}},
        "official": {
          "type": "array",
          "description": "With --official: each calibration beside the official values of each sensor.",
          "items": {
            "type": "object",
            "properties": {
              "sensor": {"type": "string"},
              "values": {"enum": ["history", "current"]},
              "equal": {"type": "integer", "minimum": 0, "description": "Values that are the same in whole mg/dL."},
              "model": {"$ref": "#/$defs/model"}
            },
            "required": ["sensor", "values", "equal", "model"]
          }
        },
        "official_errors": {"type": "integer", "minimum": 0},
        "official_errors_without_value": {
          "type": "object",
          "description": "By calibration.",
          "additionalProperties": {"type": "integer", "minimum": 0}
        },
        "memories": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "path": {"type": "string"},
              "dump": {"type": ["integer", "null"], "minimum": 1},
              "models": {"type": "array", "items": {"$ref": "#/$defs/model"}}
            },
            "required": ["path", "dump", "models"]
          }
        }
      },
      "required": ["schema", "reference", "reference_count", "models"],
      "$defs": {
        "number": {"type": ["number", "null"]},
        "size": {"type": ["number", "null"], "minimum": 0},
        "zones": {
          "type": "object",
          "propertyNames": {"enum": ["A", "B", "C", "D", "E"]},
          "additionalProperties": {"type": "integer", "minimum": 0},
          "required": ["A", "B", "C", "D", "E"]
        },
        "model": {
          "type": "object",
          "description": "Sensor less reference; null where there are too few pairs.",
          "properties": {
            "calibration": {"type": "string"},
            "n": {"type": "integer", "minimum": 0},
            "bias_mg_dl": {"$ref": "#/$defs/number"},
            "mean_absolute_difference_mg_dl": {"$ref": "#/$defs/size"},
            "mard_percent": {"$ref": "#/$defs/size"},
            "rmse_mg_dl": {"$ref": "#/$defs/size"},
            "sd_mg_dl": {"$ref": "#/$defs/size"},
            "lower_limit_of_agreement_mg_dl": {"$ref": "#/$defs/number"},
            "upper_limit_of_agreement_mg_dl": {"$ref": "#/$defs/number"},
            "worst_mg_dl": {"$ref": "#/$defs/number"},
            "within_15_15_percent": {"$ref": "#/$defs/size"},
            "within_20_20_percent": {"$ref": "#/$defs/size"},
            "zones": {
              "type": "object",
              "description": "Pairs in each zone of each error grid; with a reference only.",
              "properties": {
                "clarke": {"$ref": "#/$defs/zones"},
                "parkes_1": {"$ref": "#/$defs/zones"},
                "parkes_2": {"$ref": "#/$defs/zones"}
              },
              "required": ["clarke", "parkes_1", "parkes_2"]
            }
          },
          "required": [
            "calibration", "n", "bias_mg_dl", "mean_absolute_difference_mg_dl", "mard_percent", "rmse_mg_dl", "sd_mg_dl",
            "lower_limit_of_agreement_mg_dl", "upper_limit_of_agreement_mg_dl", "worst_mg_dl", "within_15_15_percent",
            "within_20_20_percent"
          ]
        }
      }
    }

    """#
}
