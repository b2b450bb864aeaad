// SPDX-License-Identifier: Apache-2.0

/// The JSON Schema of `libre.stats/1`. A test holds real output against it.
enum StatsSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:stats:1",
      "title": "libre.stats/1",
      "description": "The history in numbers, one value a quarter of an hour, by local day. Not for treatment decisions.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.stats/1"},
        "from": {"type": ["string", "null"]},
        "to": {"type": ["string", "null"]},
        "time_zone": {"type": ["string", "null"]},
        "by": {"const": "day"},
        "range_low_mg_dl": {"type": "number"},
        "range_high_mg_dl": {"type": "number"},
        "is_enough_for_report": {"type": "boolean", "description": "14 days with 70 % of their values."},
        "days_without_values": {"type": "integer", "minimum": 0},
        "total": {"$ref": "#/$defs/part"},
        "days": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/part",
            "type": "object",
            "properties": {
              "date": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
              "samples": {
                "type": "array",
                "description": "The values that the day counts; with --samples.",
                "items": {
                  "type": "object",
                  "properties": {
                    "time": {"type": "string"},
                    "glucose_mg_dl": {"type": "number"},
                    "glucose_mmol_l": {"type": "number"}
                  },
                  "required": ["time", "glucose_mg_dl"]
                }
              }
            },
            "required": ["date"]
          }
        }
      },
      "required": [
        "schema", "from", "to", "time_zone", "by", "range_low_mg_dl", "range_high_mg_dl", "is_enough_for_report",
        "days_without_values", "total", "days"
      ],
      "$defs": {
        "part": {
          "type": "object",
          "properties": {
            "values": {"type": "integer", "minimum": 0},
            "expected": {"type": "integer", "minimum": 0},
            "percent_of_expected": {"type": "number", "minimum": 0, "maximum": 100},
            "is_enough": {"type": "boolean"},
            "mean_mg_dl": {"type": ["number", "null"]},
            "sd_mg_dl": {"type": ["number", "null"], "minimum": 0},
            "min_mg_dl": {"type": ["number", "null"]},
            "max_mg_dl": {"type": ["number", "null"]},
            "mean_mmol_l": {"type": ["number", "null"]},
            "sd_mmol_l": {"type": ["number", "null"], "minimum": 0},
            "min_mmol_l": {"type": ["number", "null"]},
            "max_mmol_l": {"type": ["number", "null"]},
            "cv_percent": {"type": ["number", "null"], "minimum": 0},
            "percent_below": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
            "percent_in_range": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
            "percent_above": {"type": ["number", "null"], "minimum": 0, "maximum": 100}
          },
          "required": [
            "values", "expected", "percent_of_expected", "is_enough", "mean_mg_dl", "sd_mg_dl", "min_mg_dl", "max_mg_dl",
            "cv_percent", "percent_below", "percent_in_range", "percent_above"
          ]
        }
      }
    }
    """#
}
