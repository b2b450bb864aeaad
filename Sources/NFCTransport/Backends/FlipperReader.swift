// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// A Flipper Zero whose shell for NFC is open.
final class FlipperReader: TagReader {
  let description: ReaderDescription
  private let port: FlipperPort
  private let thread: ReaderThread
  private let clock: any Clock<Duration>

  /// From one look for a sensor to the next.
  private static let interval = Duration.milliseconds(200)
  /// So often in a row a look finds nothing before the sensor counts as taken away.
  private static let looksAtAnEmptyField = 3
  /// The longest that the shell's own limits add up to, and more.
  private static let limit = Duration.seconds(20)

  init(_ path: String, address: ReaderAddress, clock: any Clock<Duration>) async throws(TransportError) {
    self.clock = clock
    port = FlipperPort(path)
    thread = ReaderThread(path)
    description = ReaderDescription(address: address.description, name: "Flipper Zero", dialect: "flipper-raw")
    do throws(TransportError) {
      try await thread.perform(within: Self.limit, orThrow: .readerSilent(name: path)) {
        [port] isWanted throws(TransportError) in
        try port.open(while: isWanted)
        try port.talk { shell throws(TransportError) in try shell.startNFC(while: isWanted) }
      }
    } catch {
      await close()
      throw error
    }
  }

  func waitForTag(within limit: Duration) async throws(TransportError) {
    try await waitForTag(within: limit, on: clock)
  }

  private func waitForTag(within limit: Duration, on clock: some Clock<Duration>) async throws(TransportError) {
    let end = clock.now.advanced(by: limit)
    while try await !look() {
      let left = clock.now.duration(to: end)
      guard left > .zero else { throw .noTag }
      try await pause(min(left, Self.interval))
    }
  }

  func exchange(_ request: ISO15693.Request) async throws(TransportError) -> [UInt8] {
    try await talk { shell, isWanted throws(TransportError) in try shell.exchange(request, while: isWanted) }
  }

  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value, rescue: @escaping @Sendable (TransportError) -> Value
  ) async -> Value {
    await thread.run(work, rescue: rescue)
  }

  func waitForRemoval() async throws(TransportError) {
    var vain = 0
    while true {
      vain = try await look() ? 0 : vain + 1
      if vain == Self.looksAtAnEmptyField { return }
      try await pause(Self.interval)
    }
  }

  /// The field goes off also when the caller's task was cancelled.
  func close() async { await thread.finish(within: Self.limit) { [port] in port.close() } }

  private func look() async throws(TransportError) -> Bool {
    try await talk { shell, isWanted throws(TransportError) in try shell.look(while: isWanted) }
  }

  private func talk<Value: Sendable>(
    _ body: @escaping @Sendable (inout FlipperShell<SerialPort>, () -> Bool) throws(TransportError) -> Value
  ) async throws(TransportError) -> Value {
    try await thread.perform(within: Self.limit, orThrow: .readerSilent(name: port.path)) {
      [port] isWanted throws(TransportError) in
      try port.talk { shell throws(TransportError) in try body(&shell, isWanted) }
    }
  }

  private func pause(_ duration: Duration) async throws(TransportError) {
    do { try await clock.sleep(for: duration) } catch { throw .cancelled }
  }
}
