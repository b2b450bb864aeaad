// SPDX-License-Identifier: Apache-2.0

/// A card that PC/SC has connected: bytes there and back.
protocol CardChannel: Sendable {
  /// The reader, as its driver calls it.
  var readerName: String { get }

  /// Sends one command APDU and returns the whole answer: data, then the two bytes of the status word.
  ///
  /// Throws `tagLost(block: nil)` if the card was taken away (also for an answer without status word), and what is wrong
  /// with the reader.
  func transmit(_ command: [UInt8]) async throws(TransportError) -> [UInt8]
}
