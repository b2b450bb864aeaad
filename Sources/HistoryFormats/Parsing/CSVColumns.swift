// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The names in a table's header, and where they stand. Capitals make no difference.
struct CSVColumns {
  private let names: [String]

  init(_ row: CSVRow) { names = row.fields.indices.map { row[$0].lowercased() } }

  /// Where the column of one of these names stands; nil if there is none.
  func firstIndex(of candidates: [String]) -> Int? {
    names.firstIndex { name in candidates.contains { $0.lowercased() == name } }
  }

  /// Throws `columnMissing`.
  func index(of name: String) throws(HistoryError) -> Int {
    guard let index = firstIndex(of: [name]) else { throw .columnMissing(name) }
    return index
  }

  /// A column whose name begins with one of these and ends with a unit: `Scan Glucose mg/dL`, `Glucose Value (mmol/L)`.
  func glucose(_ beginnings: [String]) -> (index: Int, unit: GlucoseUnit)? {
    for (index, name) in names.enumerated() {
      guard let beginning = beginnings.first(where: { name.hasPrefix($0.lowercased()) }) else { continue }
      let rest = name.dropFirst(beginning.count).filter { !" ()".contains($0) }
      if let unit = GlucoseUnit.allCases.first(where: { $0.rawValue.lowercased() == rest }) { return (index, unit) }
    }
    return nil
  }
}
