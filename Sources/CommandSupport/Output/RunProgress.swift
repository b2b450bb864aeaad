// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreDocuments
package import LibreKit
import Synchronization
import TextFormats

/// Progress of a run over files: a line on a terminal after a second, and the totals at the end of a large run.
package struct RunProgress {
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
  package init(_ session: Session, word: String, isBatch: Bool = false, reportsErrors: Bool = true) {
    self.word = word
    self.isBatch = isBatch
    isShown = session.showsProgress
    isQuiet = session.isQuiet
    self.reportsErrors = reportsErrors
  }

  package var hasGood: Bool { good > 0 }

  package mutating func begin(_ path: String) {
    files += 1
    draw(path)
  }

  /// Shows how many values of a long file are `checked` or `stored`.
  package mutating func show(_ values: Int, of path: String, word: String) {
    draw("\(path): \(values.grouped) values \(word)")
  }

  /// Shows how many bytes of a large file are searched.
  package mutating func show(bytes: Int, of path: String) { draw("\(path): \((bytes >> 20).grouped) MiB searched") }

  package mutating func count(isRefused: Bool, isLine: Bool = false) {
    if isRefused { refused += 1 } else { good += 1 }
    if isLine { lines += 1 }
  }

  package mutating func clear() {
    guard isDrawn else { return }
    isDrawn = false
    StandardError.redraw("")
  }

  /// Prints the totals: after many files, and in a batch after many results or refused ones.
  package mutating func end() {
    clear()
    let results = good + refused
    let isLong = files >= Self.many || isBatch && (results >= Self.many || results > 1 && refused > 0)
    guard isLong, !isQuiet || refused > 0 && !reportsErrors else { return }
    let all =
      if files > 1 {
        "\(files.grouped) files"
      } else if lines > 0 {
        "\(lines.grouped) line\(lines == 1 ? "" : "s")"
      } else {
        "\(results.grouped) memories"
      }
    let memories = files > 1 && results != files ? " memories" : ""
    Session.notify("\(all): \(good.grouped)\(memories) \(word), \(refused.grouped) refused")
  }

  private mutating func draw(_ text: String) {
    guard isShown, ContinuousClock.now >= nextDrawing else { return }
    nextDrawing = ContinuousClock.now.advanced(by: .milliseconds(100))
    isDrawn = true
    let count = files > 1 ? "\(files.grouped) files: " : ""
    StandardError.redraw("\(count)\(SafeText.excerpt(text))…")
  }
}

/// A progress line on standard error, redrawn in place; nothing without a terminal.
package final class LiveLine: Sendable {
  private let session: Session
  private let limit: Duration?
  private let started = ContinuousClock.now
  private let state = Mutex<State>(State())

  private struct State {
    var text = ""
    var countsDown = false
    var ticker: Task<Void, Never>?
  }

  /// `limit` is counted down while waiting; nil waits forever.
  package init(session: Session, limit: Duration?) {
    self.session = session
    self.limit = limit
  }

  package func show(_ event: ScanEvent) {
    session.log(event)
    switch event {
    case .waiting: draw("Hold the sensor on the reader", countsDown: true)
    case .started: draw("Reading")
    case .progress(let blocksRead, let blocks): draw("Reading \(blocksRead) of \(blocks) blocks")
    case .lost(let blocksRead, let blocks):
      draw("Lost the sensor after \(blocksRead) of \(blocks) blocks: hold it on the reader again", countsDown: true)
    }
  }

  /// Reports that a reader is waited for, or that it is there.
  package func show(_ event: WaitingReader.Event) {
    clear()
    session.report(event)
    if case .ready = event { show(.waiting) }
  }

  package func clear() {
    let ticker = state.withLock { state in
      defer { state = State() }
      return state.ticker
    }
    ticker?.cancel()
    if session.showsProgress { StandardError.redraw("") }
  }

  private func draw(_ text: String, countsDown: Bool = false) {
    guard session.showsProgress else { return }
    state.withLock { state in
      state.text = text
      state.countsDown = countsDown
      StandardError.redraw(line(state))
      guard countsDown, limit != nil, state.ticker == nil else { return }
      state.ticker = Task { [weak self] in
        while (try? await Task.sleep(for: .seconds(1))) != nil { self?.tick() }
      }
    }
  }

  private func tick() {
    state.withLock { state in
      if state.countsDown { StandardError.redraw(line(state)) }
    }
  }

  private func line(_ state: State) -> String {
    guard state.countsDown, let limit else { return state.text + "…" }
    let left = max(.zero, limit - (ContinuousClock.now - started)) / .seconds(1)
    return "\(state.text)… \(Int(saturating: left.rounded(.up))) s"
  }
}

extension Session {
  /// Reports that a reader is waited for, with what helps, or that it is there.
  package func report(_ event: WaitingReader.Event) {
    switch event {
    case .waits(let error):
      let cause = LibreError(explaining: error)
      // A reader that is not there needs no advice.
      let isPlain = cause == .transport(error) && error.isAbsence
      StandardError.write(
        LogRecord(
          "\(cause.message); waiting for a reader", .warning, code: cause.code,
          resolution: isPlain ? nil : cause.resolution, at: LocalTime.now))
    case .ready(let reader): remark("the reader \(reader.name) is there")
    }
  }
}
