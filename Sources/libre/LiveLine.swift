// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import LibreDocuments
import LibreKit
import NFCTransport
import Synchronization

/// A progress line on standard error, redrawn in place; nothing without a terminal.
final class LiveLine: Sendable {
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
  init(session: Session, limit: Duration?) {
    self.session = session
    self.limit = limit
  }

  func show(_ event: ScanEvent) {
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
  func show(_ event: WaitingReader.Event) {
    clear()
    session.report(event)
    if case .ready = event { show(.waiting) }
  }

  func clear() {
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
  func report(_ event: WaitingReader.Event) {
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
