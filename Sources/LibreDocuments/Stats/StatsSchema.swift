// SPDX-License-Identifier: Apache-2.0
import LibreKit

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
        "metrics": {
          "description": "The clinics' numbers for the whole stretch; null for no values.",
          "oneOf": [{"type": "null"}, {"$ref": "#/$defs/metrics"}]
        },
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
        "days_without_values", "total", "metrics", "days"
      ],
      "$defs": {
        "percent": {"type": "number", "minimum": 0, "maximum": 100},
        "metrics": {
          "type": "object",
          "properties": {
            "days": {"type": "number", "minimum": 0, "description": "From the first to the last value."},
            "percent_active": {"$ref": "#/$defs/percent"},
            "gmi_percent": {"type": "number"},
            "ea1c_percent": {"type": "number"},
            "percent_very_low": {"$ref": "#/$defs/percent", "description": "Under 54 mg/dL."},
            "percent_low": {"$ref": "#/$defs/percent", "description": "54 to under 70 mg/dL."},
            "percent_in_range": {"$ref": "#/$defs/percent", "description": "70 to 180 mg/dL."},
            "percent_high": {"$ref": "#/$defs/percent", "description": "Over 180 to 250 mg/dL."},
            "percent_very_high": {"$ref": "#/$defs/percent", "description": "Over 250 mg/dL."},
            "percent_in_tight_range": {"$ref": "#/$defs/percent", "description": "70 to 140 mg/dL."},
            "percent_in_pregnancy_range": {"$ref": "#/$defs/percent", "description": "63 to 140 mg/dL."},
            "percent_below_pregnancy_range": {"$ref": "#/$defs/percent"},
            "percent_above_pregnancy_range": {"$ref": "#/$defs/percent"},
            "gri": {"$ref": "#/$defs/percent", "description": "Glycemia risk index."},
            "j_index": {"type": ["number", "null"], "minimum": 0},
            "lbgi": {"type": "number", "minimum": 0},
            "hbgi": {"type": "number", "minimum": 0},
            "adrr": {"type": ["number", "null"], "minimum": 0},
            "cogi": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
            "grade": {"type": "number", "minimum": 0, "maximum": 50},
            "grade_percent_low": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
            "grade_percent_in_range": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
            "grade_percent_high": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
            "modd_mg_dl": {"type": ["number", "null"], "minimum": 0},
            "modd_mmol_l": {"type": ["number", "null"], "minimum": 0},
            "conga_mg_dl": {"type": ["number", "null"], "minimum": 0, "description": "Over 24 h."},
            "conga_mmol_l": {"type": ["number", "null"], "minimum": 0},
            "mag_mg_dl_per_hour": {"type": ["number", "null"], "minimum": 0},
            "mag_mmol_l_per_hour": {"type": ["number", "null"], "minimum": 0},
            "mage_mg_dl": {"type": ["number", "null"], "minimum": 0, "description": "By mage_algorithm."},
            "mage_mmol_l": {"type": ["number", "null"], "minimum": 0},
            "mage_algorithm": {"type": "string"},
            "episodes": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "kind": {"enum": ["low", "very_low", "prolonged_low", "high", "very_high"]},
                  "count": {"type": "integer", "minimum": 0},
                  "per_day": {"type": ["number", "null"], "minimum": 0},
                  "mean_minutes": {"type": ["number", "null"], "minimum": 0}
                },
                "required": ["kind", "count", "per_day", "mean_minutes"]
              }
            }
          },
          "required": [
            "days", "percent_active", "gmi_percent", "ea1c_percent", "percent_very_low", "percent_low",
            "percent_in_range", "percent_high", "percent_very_high", "percent_in_tight_range",
            "percent_in_pregnancy_range", "percent_below_pregnancy_range", "percent_above_pregnancy_range", "gri",
            "j_index", "lbgi", "hbgi", "adrr", "cogi", "grade", "grade_percent_low", "grade_percent_in_range",
            "grade_percent_high", "modd_mg_dl", "conga_mg_dl", "mag_mg_dl_per_hour", "mage_mg_dl", "mage_algorithm",
            "episodes"
          ]
        },
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
