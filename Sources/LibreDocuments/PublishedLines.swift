// SPDX-License-Identifier: Apache-2.0
import LibreKit

/// Where the published text of a schema has other lines than `JSONSchema` makes.
///
/// The schemas were written by hand before they were made of lists of fields, and their text stays as it was. A new
/// document needs nothing here.
enum PublishedLines {
  typealias Line = (made: String, published: String)

  static let lines: [String: [Line]] = [
    "comparison": [("\n      ]\n    }\n  }\n}", "\n      ]\n    }\n  }\n}\n")],
    "import": [
      (
        """
        ,
          "required": [
            "schema", "path", "format", "scans", "new_scans", "added", "filled", "known", "conflicts", "left_out",
            "clock_disagreement_seconds", "is_provisional", "sensors"
          ]
        """, ""
      ),
      (
        #""object",\#n  "properties""#,
        """
        "object",
          "required": ["schema", "path", "format", "scans", "new_scans", "added", "filled", "known", "conflicts", "left_out",
            "clock_disagreement_seconds", "is_provisional", "sensors"],
          "properties"
        """
      ),
      (#",\#n        "required": ["uid", "serial", "fingerprint"]"#, ""),
      (
        #""object",\#n        "properties""#,
        #""object",\#n        "required": ["uid", "serial", "fingerprint"],\#n        "properties""#
      ),
      (
        """
            "left_out": {
              "type": "integer",
              "minimum": 0,
              "description": "values of ignored sources, and such as were removed earlier"
            },

        """, ""
      ),
      (
        """
            "is_provisional": {
              "type": "boolean",
              "description": "true if only the modification time of a file tells when a sensor was started"
            },
        """,
        """
            "is_provisional": {"type": "boolean", "description": "true if only the modification time of a file tells when a sensor was started"},
            "left_out": {"type": "integer", "minimum": 0, "description": "values of ignored sources, and such as were removed earlier"},
        """
      ),
      (#""null"],\#n      "description""#, #""null"], "description""#),
      (": {\"", ": { \""), ("\"}", "\" }"), ("]}", "] }"),
    ],
    "latest": [
      oneLine(
        """
            "age_minutes": {
              "type": ["integer", "null"],
              "description": "Negative where clocks disagree; null without a time."
            }
        """),
      oneLine(
        """
            "bound": {
              "enum": ["low", "high", null],
              "description": "what the value is the limit of; null for a measured one"
            }
        """),
      (#""bound", "rate_mg_dl_per_min""#, #""bound",\#n    "rate_mg_dl_per_min""#),
      (
        #""rate_mg_dl_per_min",\#n    "direction", "change_15_min_mg_dl", "sensor""#,
        #""rate_mg_dl_per_min", "direction",\#n    "change_15_min_mg_dl", "sensor""#
      ),
    ],
    "readers": [
      broken(#"["address", "name", "presence", "iso15693", "reason", "known_as", "dialects", "driver", "note"]"#)
    ],
    "reading": [
      oneLine(
        """
                      "left_state": {
                        "enum": ["not_activated", "warming_up", "active", "expired", "shutdown", "failure", "unknown"]
                      }
        """),
      column(
        """
                "uid", "serial", "patch_info", "family", "region", "state", "age_minutes", "max_life_minutes",
                "initializations", "activated_at", "expires_at", "end_of_life", "failure"
        """),
      (#""string",\#n      "pattern": "^x{4}"#, #""string", "pattern": "^x{4}"#),
      (#"{8}$",\#n      "description": "The same"#, #"{8}$", "description": "The same"#),
      column(
        """
                    "DoubleUp", "SingleUp", "FortyFiveUp", "Flat", "FortyFiveDown", "SingleDown", "DoubleDown",
                    "NOT COMPUTABLE"
        """),
      column(
        """
            "schema", "id", "read_at", "read_at_source", "source", "reader", "sensor", "integrity", "calibration", "history",
            "trend", "current", "problems", "memory"
        """),
      (
        """
                    {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"}
        """,
        """
                    {
                      "type": "string",
                      "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
                    }
        """
      ),
      column(
        """
                      "fifo_overflow", "filter_delta", "work_voltage", "peak_delta", "average_delta", "rf_interference",
                      "reference_resistance", "signal_saturated", "signal_low"
        """),
      (
        """
        [
                "id", "ring", "minute", "time", "raw", "quality", "errors", "temperature_c", "glucose_mg_dl",
                "model_glucose_mg_dl"
              ]
        """,
        """
        ["id", "ring", "minute", "time", "raw", "quality", "errors", "temperature_c", "glucose_mg_dl", "model_glucose_mg_dl"]
        """
      ),
    ],
    "sensors": [
      broken(#"["uid", "serial", "fingerprint", "family", "region", "patch_info", "max_life_minutes", "wears"]"#),
      (#""boolean",\#n          "description": "True while"#, #""boolean", "description": "True while"#),
      (#""expires_at", "last_read_at""#, #""expires_at",            "last_read_at""#),
      (#""history_samples",\#n        "trend_samples", "#, #""history_samples", "trend_samples",\#n        "#),
      (#""conflicts",\#n        "user_calibration""#, #""conflicts", "user_calibration""#),
    ],
    "sink_types": [
      (
        #""description": "Empty for any text.", "items": {"type": "string"}"#,
        #""items": {"type": "string"}, "description": "Empty for any text.""#
      )
    ],
    "sinks": sink, "status": sink,
    "sync": [
      oneLine(
        """
            "duplicates": {
              "type": ["integer", "null"],
              "minimum": 0,
              "description": "Null where the receiver does not say."
            }
        """),
      (#""unequipped", "session_ended""#, #""unequipped",\#n        "session_ended""#),
    ],
  ]

  private static let sink: [Line] = [
    (#""calibration",\#n    "backfill_days", "secret_from""#, #""calibration", "backfill_days",\#n    "secret_from""#),
    (#""failures",\#n    "retry_at", "#, #""failures", "retry_at",\#n    "#),
  ]

  /// An object on one line.
  private static func oneLine(_ made: String) -> Line {
    let lines = made.split(separator: "\n").map { $0.drop { $0 == " " } }
    let start = made.prefix { $0 == " " } + lines[0]
    return (made, start + lines.dropFirst().dropLast().joined(separator: " ") + "}")
  }

  /// A list with each word on a line of its own.
  private static func column(_ made: String) -> Line {
    let indentation = made.prefix { $0 == " " }
    return (made, made.replacing(", ", with: ",\n\(indentation)"))
  }

  /// A list of required members that is short enough for one line, on a line of its own.
  private static func broken(_ made: String) -> Line {
    (made, "[\n          \(made.dropFirst().dropLast())\n        ]")
  }
}
