// SPDX-License-Identifier: Apache-2.0

/// The records of a file that are invalid. A reader reads all others, and whoever imports the file decides whether they
/// may be kept.
package struct RefusedRecords: Hashable, Sendable {
  /// The first three, in the order of the file, for a message.
  package private(set) var first: [HistoryError] = []
  package private(set) var count = 0
  /// The number of values that are impossible in mmol/L, and usual in mg/dL.
  private(set) var ofOtherUnit = 0

  mutating func add(_ error: HistoryError) {
    count += 1
    if first.count < 3 { first.append(error) }
    if case .otherUnit = error { ofOtherUnit += 1 }
  }

  mutating func merge(_ other: RefusedRecords) {
    first = Array((first + other.first).prefix(3))
    count += other.count
    ofOtherUnit += other.ofOtherUnit
  }

  /// Reads a record, and counts its error.
  ///
  /// - Throws: errors that are not about one record.
  mutating func collect(_ read: () throws(HistoryError) -> Void) throws(HistoryError) {
    do throws(HistoryError) {
      try read()
    } catch {
      guard error.isAboutOneRecord else { throw error }
      add(error)
    }
  }

  /// The error of a file with invalid records; nil without any.
  package var error: HistoryError? {
    first.isEmpty ? nil : count == 1 ? first[0] : .refused(count, first: first)
  }
}

extension HistoryError {
  /// True for an error that says nothing about the other records of the file.
  fileprivate var isAboutOneRecord: Bool {
    switch self {
    case .badLine, .badField, .otherUnit: true
    case .notThisFormat, .unknownFormat, .foreign, .ambiguousFormat, .noSuchFormat, .refused, .ambiguousDates,
      .unknownUnit, .wrongUnit, .columnMissing, .columnsMissing, .severalSubjects, .noSuchSubject, .noSubjects,
      .importedBefore, .tooLarge, .truncated, .ownFormat, .unreadable:
      false
    }
  }
}
