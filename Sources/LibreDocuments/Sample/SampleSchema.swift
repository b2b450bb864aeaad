// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// The JSON Schema of `libre.sample/1`. A test holds real output against it.
enum SampleSchema {
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:libre:sample:1",
      "title": "libre.sample/1",
      "description": "One entry of a history: a sensor's sample, an imported value, or a finger-stick. Not for treatment decisions.",
      "$ref": "#/$defs/sample",
      "$defs": {"sample": \#(object)}
    }
    """#

  /// For the documents that hold samples.
  static let object = #"""
    {
      "type": "object",
      "properties": {
        "schema": {"const": "libre.sample/1"},
        "id": {
          "type": ["string", "null"],
          "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
        },
        "uid": {"type": ["string", "null"], "pattern": "^E0[0-9A-F]{14}$"},
        "serial": {"type": ["string", "null"]},
        "wear": {"type": ["integer", "null"], "minimum": 1},
        "ring": {"enum": ["history", "trend", "finger_stick"]},
        "minute": {
          "type": ["integer", "null"],
          "minimum": 1,
          "description": "Minutes since the sensor was started; null for what no sensor of libre's measured."
        },
        "time": \#(SchemaPart.time),
        "raw": \#(SchemaPart.counts(#"["object", "null"]"#)),
        "quality": {"enum": ["ok", "error", "never_written", "low_signal", "temperature", "warm_up"]},
        "errors": {"type": "array", "items": {"type": "string", "pattern": "^[a-z_]+$"}, "uniqueItems": true},
        "temperature_c": {"type": ["number", "null"]},
        "glucose_mg_dl": {
          "type": ["number", "null"],
          "description": "What may be used as glucose: null unless quality is ok."
        },
        "glucose_mmol_l": {"type": ["number", "null"]},
        "model_glucose_mg_dl": {
          "type": ["number", "null"],
          "description": "The number that the calibration model gave, whatever the quality; null for what no sensor measured."
        },
        "model_glucose_mmol_l": {"type": ["number", "null"]},
        "calibration": {
          "type": ["object", "null"],
          "properties": {
            "model": {"type": "string"},
            "version": {"type": "integer", "minimum": 1},
            "series": {"enum": ["scan", "store"], "description": "What a model that needs neighbours had."}
          },
          "required": ["model", "version"],
          "additionalProperties": {"type": "number"}
        },
        "family": {"type": "string"},
        "fingerprint": {"type": ["string", "null"], "pattern": "^[0-9A-F]{32}$"},
        "salvaged": {"const": true},
        "source": {"type": ["string", "null"], "description": "The program or format that an entry was imported from."},
        "device": {"type": ["string", "null"]},
        "bound": {"enum": ["low", "high", null], "description": "The true value is lower, or higher."},
        "note": {"type": ["string", "null"]}
      },
      "required": [
        "schema", "id", "uid", "serial", "wear", "ring", "minute", "time", "raw", "quality", "errors", "temperature_c",
        "glucose_mg_dl", "model_glucose_mg_dl"
      ],
      "oneOf": [
        {"required": ["calibration", "family", "fingerprint"], "properties": {"minute": {"type": "integer"}}},
        {"required": ["source", "device", "bound"], "properties": {"minute": {"type": "null"}}},
        {"required": ["source", "note"], "properties": {"ring": {"const": "finger_stick"}}}
      ]
    }
    """#
}
