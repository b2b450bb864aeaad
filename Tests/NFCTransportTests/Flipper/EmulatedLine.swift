// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport

@testable import NFCTransport

/// An emulated Flipper Zero without a port. What it has not printed by now never comes, so that no test waits.
final class EmulatedLine: FlipperLine {
  static let uid: [UInt8] = [0xE0, 0x07, 0xA0, 0x00, 0x01, 0x23, 0x45, 0x67]
  static let memory = (0..<344).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  static let tag = FlipperEmulator.Tag(memory: memory, uid: uid, patchInfo: [0xDF, 0x00, 0x00, 0x01, 0x01, 0x02])

  var flipper: FlipperEmulator
  private var printed: [UInt8] = []

  init(_ flipper: FlipperEmulator = FlipperEmulator(tag: EmulatedLine.tag)) { self.flipper = flipper }

  func write(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(TransportError) {
    if flipper.isUnplugged { throw .readerUnplugged(name: "port") }
    printed += flipper.type(bytes)
  }

  func read(until end: ContinuousClock.Instant, while isWanted: () -> Bool) throws(TransportError) -> [UInt8] {
    guard isWanted() else { throw .cancelled }
    if printed.isEmpty, flipper.isUnplugged { throw .readerUnplugged(name: "port") }
    defer { printed = [] }
    return printed
  }
}
