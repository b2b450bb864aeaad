// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import NFCTransport

/// A line on which bytes come whatever is sent, so many with each read, and which keeps what was sent.
final class PlayedLine: SerialLine {
  private let state: Mutex<(rest: ArraySlice<UInt8>, sent: [[UInt8]])>
  private let size: Int

  init(_ bytes: ArraySlice<UInt8>, size: Int) {
    state = Mutex((bytes, []))
    self.size = size
  }

  var sent: [[UInt8]] { state.withLock { $0.sent } }

  func write(_ bytes: [UInt8], until end: Moment) { state.withLock { $0.sent.append(bytes) } }

  func read(until end: Moment, while isWanted: () -> Bool) -> [UInt8] {
    state.withLock { state in
      defer { state.rest = state.rest.dropFirst(size) }
      return Array(state.rest.prefix(size))
    }
  }

  func close() {}
}
