// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

/// Progress of a run over files: on a terminal a line that is redrawn, once the run has lasted a second; at the end of a
/// large one a line with the totals.
struct RunProgress {
  /// The verb for a successful outcome: `decoded`.
  private let word: String
  private let isShown: Bool
  private let isQuiet: Bool
  private let reportsErrors: Bool
  /// True if the totals are also wanted after a few results of which some are refused.
  private let isBatch: Bool
  private var files = 0
  private var lines = 0
  private var good = 0
  private var refused = 0
  private var isDrawn = false
  private var nextDrawing = ContinuousClock.now.advanced(by: .seconds(1))

  /// Fewer outcomes fit on one screen.
  private static let many = 20

  /// `reportsErrors` is false if the totals are the only word on standard error about what was refused; then they are
  /// also printed with `--quiet`.
  init(_ session: Session, word: String, isBatch: Bool = false, reportsErrors: Bool = true) {
    self.word = word
    self.isBatch = isBatch
    isShown = session.showsProgress
    isQuiet = session.isQuiet
    self.reportsErrors = reportsErrors
  }

  var hasGood: Bool { good > 0 }

  mutating func begin(_ path: String) {
    files += 1
    draw(path)
  }

  /// Shows how many values of a long file are `checked` or `stored`.
  mutating func show(_ values: Int, of path: String, word: String) {
    draw("\(path): \(Self.grouped(values)) values \(word)")
  }

  mutating func count(isRefused: Bool, isLine: Bool = false) {
    if isRefused { refused += 1 } else { good += 1 }
    if isLine { lines += 1 }
  }

  /// Erases the line, before anything else is written.
  mutating func clear() {
    guard isDrawn else { return }
    isDrawn = false
    StandardError.redraw("")
  }

  /// Prints the totals: after many files, and in a batch after many results or refused ones.
  mutating func end() {
    clear()
    let results = good + refused
    let isLong = files >= Self.many || isBatch && (results >= Self.many || results > 1 && refused > 0)
    guard isLong, !isQuiet || refused > 0 && !reportsErrors else { return }
    let all =
      if files > 1 {
        "\(Self.grouped(files)) files"
      } else if lines > 0 {
        "\(Self.grouped(lines)) line\(lines == 1 ? "" : "s")"
      } else {
        "\(Self.grouped(results)) memories"
      }
    let memories = files > 1 && results != files ? " memories" : ""
    Session.notify("\(all): \(Self.grouped(good))\(memories) \(word), \(Self.grouped(refused)) refused")
  }

  private mutating func draw(_ text: String) {
    guard isShown, ContinuousClock.now >= nextDrawing else { return }
    nextDrawing = ContinuousClock.now.advanced(by: .milliseconds(100))
    isDrawn = true
    let count = files > 1 ? "\(Self.grouped(files)) files: " : ""
    StandardError.redraw("\(count)\(SafeText.excerpt(text))…")
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
