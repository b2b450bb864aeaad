// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport

@testable import NFCTransport

/// An emulated Flipper Zero without a port. Output that is not there yet never comes, so that no test waits.
final class EmulatedLine: SerialLine {
  static let uid: [UInt8] = [0xE0, 0x07, 0xA0, 0x00, 0x01, 0x23, 0x45, 0x67]
  static let memory = (0..<344).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  static let tag = FlipperEmulator.Tag(memory: memory, uid: uid, patchInfo: [0xDF, 0x00, 0x00, 0x01, 0x01, 0x02])

  private let state: Mutex<(flipper: FlipperEmulator, printed: [UInt8], isClosed: Bool)>

  init(_ flipper: FlipperEmulator = FlipperEmulator(tag: EmulatedLine.tag)) { state = Mutex((flipper, [], false)) }

  var flipper: FlipperEmulator { state.withLock { $0.flipper } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Changes the Flipper, like a person who operates it by hand.
  func change(_ body: (inout FlipperEmulator) -> Void) { state.withLock { body(&$0.flipper) } }

  func write(_ bytes: [UInt8], until end: Moment) throws(TransportError) {
    if flipper.isUnplugged { throw .readerUnplugged(name: "port") }
    state.withLock { $0.printed += $0.flipper.type(bytes) }
  }

  func read(until end: Moment, while isWanted: () -> Bool) throws(TransportError) -> [UInt8] {
    guard isWanted() else { throw .cancelled }
    let printed = state.withLock { state in
      defer { state.printed = [] }
      return state.printed
    }
    if printed.isEmpty, flipper.isUnplugged { throw .readerUnplugged(name: "port") }
    return printed
  }

  func close() { state.withLock { $0.isClosed = true } }
}
