// SPDX-License-Identifier: Apache-2.0
import GlucoseReport
public import LibreKit
public import TextFormats

/// `libre.comparison/1`: calibrations held against a reference, or against the factory's over memories.
public enum ComparisonJSON {
  public static func write(_ comparison: Comparison, within minutes: Int, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.comparison.identifier)
      writeReference(comparison, to: &json)
      json.member("within_minutes", minutes)
      json.member("models") { $0.array(comparison.models) { write($1, withGrids: true, to: &$0) } }
    }
  }

  public static func write(_ comparison: MemoryComparison, to writer: inout JSONWriter) {
    let total = comparison.total
    writer.object { json in
      json.member("schema", SchemaDocument.comparison.identifier)
      writeReference(total, to: &json)
      json.member("models") { $0.array(total.models) { write($1, withGrids: false, to: &$0) } }
      json.member("memories") { json in
        json.array(comparison.memories) { json, memory in
          json.object { json in
            json.member("path", memory.path)
            json.member("dump", memory.dump)
            json.member("models") { json in
              json.array(memory.comparison.models) { write($1, withGrids: false, to: &$0) }
            }
          }
        }
      }
    }
  }

  public static func write(_ comparison: OfficialComparison, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("schema", SchemaDocument.comparison.identifier)
      json.member("reference", "official")
      json.member("reference_count", comparison.count)
      json.member("models", [String]())
      json.member("official") { json in
        json.array(comparison.rows) { json, row in
          json.object { json in
            json.member("sensor", row.sensor)
            json.member("values", row.kind)
            json.member("equal", row.equal)
            json.member("model") { write(row.model, withGrids: false, to: &$0) }
          }
        }
      }
      json.member("official_errors", comparison.officialErrors)
      json.member("official_errors_without_value") { json in
        json.object { json in
          for (calibration, count) in comparison.errorsWithoutValue { json.member(calibration, count) }
        }
      }
    }
  }

  private static func writeReference(_ comparison: Comparison, to json: inout JSONWriter) {
    json.member("reference", comparison.reference)
    json.member("reference_count", comparison.referenceCount)
  }

  private static func write(_ model: Comparison.Model, withGrids: Bool, to writer: inout JSONWriter) {
    let metrics = model.metrics
    writer.object { json in
      json.member("calibration", model.name)
      json.member("n", metrics.count)
      json.member("bias_mg_dl", metrics.bias, places: 4)
      json.member("mean_absolute_difference_mg_dl", metrics.meanAbsoluteDifference, places: 4)
      json.member("mard_percent", metrics.mard, places: 4)
      json.member("rmse_mg_dl", metrics.rmse, places: 4)
      json.member("sd_mg_dl", metrics.standardDeviation, places: 4)
      json.member("lower_limit_of_agreement_mg_dl", metrics.limitsOfAgreement?.lowerBound, places: 4)
      json.member("upper_limit_of_agreement_mg_dl", metrics.limitsOfAgreement?.upperBound, places: 4)
      json.member("worst_mg_dl", metrics.worst, places: 4)
      json.member("within_15_15_percent", metrics.percentWithin15, places: 4)
      json.member("within_20_20_percent", metrics.percentWithin20, places: 4)
      if withGrids {
        json.member("zones") { json in
          json.object { json in
            for grid in ErrorGrid.allCases {
              let counts = ErrorGridCounts(model.pairs, grid: grid)
              json.member(grid.rawValue.replacing("-", with: "_")) { json in
                json.object { json in
                  for zone in ErrorGridZone.allCases { json.member(zone.rawValue, counts.count(zone)) }
                }
              }
            }
          }
        }
      }
    }
  }
}
