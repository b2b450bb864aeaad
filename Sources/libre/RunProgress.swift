// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// Progress of a run over files: on a terminal a line that is redrawn, once the run has lasted a second; after many
/// files a line with the totals.
struct RunProgress {
  /// The verb for a successful outcome: `decoded`.
  private let word: String
  private let isShown: Bool
  private let isQuiet: Bool
  private var files = 0
  private var good = 0
  private var refused = 0
  private var isDrawn = false
  private var nextDrawing = ContinuousClock.now.advanced(by: .seconds(1))

  /// The outcomes of fewer files fit on one screen.
  private static let manyFiles = 20

  init(_ session: Session, word: String) {
    self.word = word
    isShown = session.showsProgress
    isQuiet = session.isQuiet
  }

  /// Starts the next file.
  mutating func begin(_ path: String) {
    files += 1
    draw(path)
  }

  /// Shows how many values of a long file are stored.
  mutating func show(_ values: Int, of path: String) { draw("\(path): \(Self.grouped(values)) values") }

  /// Counts one result of a file.
  mutating func count(isRefused: Bool) {
    if isRefused { refused += 1 } else { good += 1 }
  }

  /// Erases the line, before anything else is written.
  mutating func clear() {
    guard isDrawn else { return }
    isDrawn = false
    StandardError.draw("\r\u{1B}[K")
  }

  /// Prints the totals after many files.
  mutating func end() {
    clear()
    guard files >= Self.manyFiles, !isQuiet else { return }
    let memories = good + refused == files ? "" : " memories"
    Session.notify(
      "\(Self.grouped(files)) files: \(Self.grouped(good))\(memories) \(word), \(Self.grouped(refused)) refused")
  }

  private mutating func draw(_ text: String) {
    guard isShown, ContinuousClock.now >= nextDrawing else { return }
    nextDrawing = ContinuousClock.now.advanced(by: .milliseconds(100))
    isDrawn = true
    let count = files > 1 ? "\(Self.grouped(files)) files: " : ""
    StandardError.draw("\r\u{1B}[K\(count)\(SafeText.excerpt(text))…")
  }

  /// `5,000`.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.indices.map { index in
      let left = digits.count - index
      return (index > 0 && left % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }
}
