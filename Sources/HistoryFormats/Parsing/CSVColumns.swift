// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The column names of a table's header, with their positions; upper and lower case are equal.
struct CSVColumns {
  /// The names as the file writes them.
  let shown: [String]
  private let names: [String]

  init(_ row: CSVRow) {
    shown = row.fields.indices.map { row[$0] }
    names = shown.map { $0.lowercased() }
  }

  /// Returns the position of the column with one of these names.
  func firstIndex(of candidates: [String]) -> Int? {
    names.firstIndex { name in candidates.contains { $0.lowercased() == name } }
  }

  func index(of name: String) throws(HistoryError) -> Int {
    guard let index = firstIndex(of: [name]) else { throw .columnMissing(name) }
    return index
  }

  /// Returns a column whose name begins with one of these and ends with a unit: `Scan Glucose mg/dL`, `Glucose Value
  /// (mmol/L)`.
  func glucose(_ beginnings: [String]) -> (index: Int, unit: GlucoseUnit)? {
    for (index, name) in names.enumerated() {
      guard let beginning = beginnings.first(where: { name.hasPrefix($0.lowercased()) }) else { continue }
      let rest = name.dropFirst(beginning.count).filter { !" ()".contains($0) }
      if let unit = GlucoseUnit.allCases.first(where: { $0.rawValue.lowercased() == rest }) { return (index, unit) }
    }
    return nil
  }
}
