// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.reading/1`. A test holds real output against it.
enum ReadingSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:reading:1",
      "title": "libre.reading/1",
      "description": "One scan of a sensor, or one decoded dump. Not for treatment decisions.",
      "type": "object",
      "properties": {
        "schema": {"const": "libre.reading/1"},
        "id": {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"},
        "read_at": \#(SchemaPart.time),
        "read_at_source": {"enum": ["clock", "option", "file", "modification_time", "unknown"]},
        "source": {
          "type": "object",
          "properties": {
            "tool": {"type": "string", "pattern": "^libre "},
            "path": {"type": ["string", "null"]},
            "format": {"type": ["string", "null"]},
            "dump": {"type": ["integer", "null"], "minimum": 1},
            "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}
          },
          "required": ["tool", "path", "format", "dump", "sha256"]
        },
        "reader": {
          "type": ["object", "null"],
          "properties": {"address": {"type": "string"}, "name": {"type": "string"}, "dialect": {"type": "string"}},
          "required": ["address", "name", "dialect"]
        },
        "sensor": {
          "type": "object",
          "properties": {
            "uid": {"type": ["string", "null"], "pattern": "^E0[0-9A-F]{14}$"},
            "serial": {"type": ["string", "null"]},
            "patch_info": {"type": ["string", "null"], "pattern": "^([0-9A-F]{2}){6,24}$"},
            "family": {"enum": ["libre1", "libre_us14day", "libre_pro", "libre2", "unknown"]},
            "region": {"enum": ["unknown", "european", "usa", "australia_canada", "east_row", null]},
            "state": {"enum": ["not_activated", "warming_up", "active", "expired", "shutdown", "failure", "unknown"]},
            "age_minutes": {"type": "integer", "minimum": 0, "maximum": 65535},
            "max_life_minutes": {"type": ["integer", "null"], "minimum": 0, "maximum": 65535},
            "initializations": {"type": ["integer", "null"], "minimum": 0, "maximum": 255},
            "activated_at": \#(SchemaPart.time),
            "expires_at": \#(SchemaPart.time),
            "end_of_life": {
              "type": "array",
              "maxItems": 6,
              "items": {
                "type": "object",
                "properties": {
                  "left_state": {"enum": ["not_activated", "warming_up", "active", "expired", "shutdown", "failure", "unknown"]},
                  "minute": {"type": "integer", "minimum": 0, "maximum": 65535}
                },
                "required": ["left_state", "minute"]
              }
            },
            "failure": {
              "type": ["object", "null"],
              "properties": {
                "code": {"type": "integer", "minimum": 0, "maximum": 255},
                "minute": {"type": "integer", "minimum": 0, "maximum": 65535},
                "text": {"type": ["string", "null"]}
              },
              "required": ["code", "minute", "text"]
            }
          },
          "required": [
            "uid",
            "serial",
            "patch_info",
            "family",
            "region",
            "state",
            "age_minutes",
            "max_life_minutes",
            "initializations",
            "activated_at",
            "expires_at",
            "end_of_life",
            "failure"
          ]
        },
        "integrity": {
          "type": "object",
          "properties": {
            "header": {"enum": ["ok", "bad", "absent"]},
            "body": {"enum": ["ok", "torn", "bad", "absent"]},
            "footer": {"enum": ["ok", "bad", "absent"]}
          },
          "required": ["header", "body", "footer"]
        },
        "salvaged": {"const": true},
        "recovered_uid": {
          "type": "string",
          "pattern": "^E007A[04]00[0-9A-F]{8}$",
          "description": "Of an encrypted memory that gave up its key: the UID as the key has it, derived and not read."
        },
        "recovered_patch_info": {
          "type": "string", "pattern": "^x{4}[0-9A-F]{8}$", "description": "The same of the patch info; x is not known."
        },
        "calibration": {
          "type": ["object", "null"],
          "properties": {
            "model": {"type": "string"},
            "version": {"type": "integer", "minimum": 1},
            "provenance": {"type": "string"},
            "series": {"enum": ["scan", "store"], "description": "What a model that needs neighbours had."}
          },
          "required": ["model", "version"],
          "additionalProperties": {"type": "number"}
        },
        "history": {"type": ["array", "null"], "maxItems": 1344, "items": {"$ref": "#/$defs/sample"}},
        "trend": {"type": ["array", "null"], "maxItems": 16, "items": {"$ref": "#/$defs/sample"}},
        "current": {
          "type": ["object", "null"],
          "properties": {
            "minute": {"type": "integer", "minimum": 1},
            "glucose_mg_dl": {"type": "number"},
            "glucose_mmol_l": {"type": "number"},
            "rate_mg_dl_per_min": {"type": ["number", "null"]},
            "direction": {
              "enum": [
                "DoubleUp",
                "SingleUp",
                "FortyFiveUp",
                "Flat",
                "FortyFiveDown",
                "SingleDown",
                "DoubleDown",
                "NOT COMPUTABLE"
              ]
            }
          },
          "required": ["minute", "glucose_mg_dl", "rate_mg_dl_per_min", "direction"]
        },
        "problems": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "code": {"type": "string", "pattern": "^[a-z0-9_]+$"},
              "message": {"type": "string"},
              "resolution": {"type": "string"}
            },
            "required": ["code", "message", "resolution"]
          }
        },
        "memory": \#(DumpSchema.memory)
      },
      "required": [
        "schema",
        "id",
        "read_at",
        "read_at_source",
        "source",
        "reader",
        "sensor",
        "integrity",
        "calibration",
        "history",
        "trend",
        "current",
        "problems",
        "memory"
      ],
      "$defs": {
        "sample": {
          "type": "object",
          "properties": {
            "id": {
              "oneOf": [
                {
                  "type": "string",
                  "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
                },
                {"type": "null"}
              ]
            },
            "ring": {"enum": ["history", "trend"]},
            "minute": {
              "type": "integer",
              "minimum": 1,
              "description": "Minutes since the sensor was started, from the stored ring index."
            },
            "time": \#(SchemaPart.time),
            "raw": \#(SchemaPart.counts()),
            "quality": {"enum": ["ok", "error", "never_written", "low_signal", "temperature", "warm_up"]},
            "errors": {
              "type": "array",
              "items": {
                "enum": [
                  "fifo_overflow",
                  "filter_delta",
                  "work_voltage",
                  "peak_delta",
                  "average_delta",
                  "rf_interference",
                  "reference_resistance",
                  "signal_saturated",
                  "signal_low"
                ]
              },
              "uniqueItems": true
            },
            "temperature_c": {"type": ["number", "null"]},
            "glucose_mg_dl": {
              "type": ["number", "null"],
              "description": "What may be used as glucose: null unless quality is ok."
            },
            "glucose_mmol_l": {"type": ["number", "null"]},
            "model_glucose_mg_dl": {
              "type": ["number", "null"],
              "description": "The unrounded number of the calibration model, whatever the quality."
            },
            "model_glucose_mmol_l": {"type": ["number", "null"]}
          },
          "required": ["id", "ring", "minute", "time", "raw", "quality", "errors", "temperature_c", "glucose_mg_dl", "model_glucose_mg_dl"]
        }
      }
    }
    """#
}
