// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

extension HistoryReader {
  /// Reads a whole file without keeping anything, so that a file that cannot be imported leaves nothing behind.
  ///
  /// Returns the options by which its values are right: with the user's unit if the file's own cannot be right. `facts`
  /// are those of each subject, and of `""` unless `isOfSubjects`. `progress` gets the number of values now and then.
  ///
  /// - Throws: errors of `read`; `wrongUnit`; the error of invalid records, unless the options keep going.
  package func validated(
    _ file: any HistoryFile, _ options: ImportOptions, isOfSubjects: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws(HistoryError) -> (options: ImportOptions, facts: [String: HistoryFacts]) {
    var options = options
    var pass = try pass(over: file, options, isOfSubjects: isOfSubjects, progress)
    if let wrong = pass.evidence.wrongUnit(pass.refused), options.unit == wrong.other, options.certainUnit == nil {
      options.certainUnit = wrong.other
      pass = try self.pass(over: file, options, isOfSubjects: isOfSubjects, progress)
    }
    if let wrong = pass.evidence.wrongUnit(pass.refused) { throw .wrongUnit(wrong.unit, example: wrong.example) }
    if !options.keepsGoing {
      if let failure = pass.failure { throw failure }
      if let error = pass.refused.error { throw error }
    } else if let failure = pass.failure, pass.evidence.count == 0 {
      throw failure
    }
    return (options, pass.facts)
  }

  private func pass(
    over file: any HistoryFile, _ options: ImportOptions, isOfSubjects: Bool, _ progress: (Int) -> Void
  ) throws(HistoryError) -> ValidatingPass {
    var pass = ValidatingPass()
    var values = 0
    func add(_ entry: HistoryEntry) {
      values += 1
      if values % 4_096 == 0 { progress(values) }
      pass.evidence.add(entry)
    }
    do throws(HistoryError) {
      if isOfSubjects {
        guard let reader = self as? TableReader, try reader.subjects(in: file, options) != nil else {
          throw .noSubjects
        }
        pass.facts = try reader.readSubjects(of: file, options) { add($1) }
      } else {
        pass.facts = ["": try read(file, options) { add($0) }]
      }
    } catch {
      // The records before the end of an incomplete file can be kept.
      guard options.keepsGoing else { throw error }
      pass.failure = error
    }
    return pass
  }
}

private struct ValidatingPass {
  var facts: [String: HistoryFacts] = [:]
  var evidence = UnitEvidence()
  /// The error that ended the reading.
  var failure: HistoryError?

  /// The invalid records of all subjects.
  var refused: RefusedRecords {
    facts.sorted { $0.key < $1.key }.reduce(into: RefusedRecords()) { $0.merge($1.value.refused) }
  }
}

/// Evidence whether the values of a file can be in the unit that they are said to be in.
///
/// | half of the values | unit that the file says | is |
/// |---|---|---|
/// | under 30 mg/dL | mg/dL | mmol/L: a person cannot live with that median, and 30 mmol/L is above what a sensor measures |
/// | impossible in mmol/L, and 30 to 1000 in mg/dL | mmol/L | mg/dL |
struct UnitEvidence {
  /// A number under it is mmol/L, one from it on is mg/dL.
  static let limit = 30.0

  private(set) var count = 0
  private var low = 0
  private var firstLow: GlucoseConcentration?

  mutating func add(_ entry: HistoryEntry) {
    count += 1
    let concentration: GlucoseConcentration
    switch entry {
    // Values with an id come from a store of libre, which has them in mg/dL.
    case .imported(let imported) where imported.id == nil: concentration = imported.concentration
    case .fingerStick(let stick) where stick.id == nil: concentration = stick.concentration
    case .imported, .fingerStick, .sensor, .bloodPressure: return
    }
    guard concentration.milligramsPerDecilitre < Self.limit else { return }
    low += 1
    firstLow = firstLow ?? concentration
  }

  /// Returns the unit that the values are said to be in and are not, the other one, and an example; nil if all is well.
  func wrongUnit(_ refused: RefusedRecords) -> (unit: GlucoseUnit, other: GlucoseUnit, example: String)? {
    if low * 2 > count, let firstLow {
      let example = DecimalText.shortest(firstLow.milligramsPerDecilitre, places: 1)
      return (.milligramsPerDecilitre, .millimolesPerLitre, example)
    }
    guard refused.ofOtherUnit * 2 > count + refused.count else { return nil }
    let examples = refused.first.compactMap { if case .otherUnit(_, _, let value) = $0 { value } else { nil } }
    return (.millimolesPerLitre, .milligramsPerDecilitre, examples.first ?? "")
  }
}
