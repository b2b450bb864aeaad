// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A device that carries frames to a tag as they are: the part of a reader below `FrameReader`.
///
/// Its functions block, are called on one thread, and end soon after `isWanted` says no.
protocol FrameDevice: Sendable {
  /// The name in errors, also before the device is open.
  var name: String { get }
  /// The maximum duration of opening or closing.
  var openingLimit: Duration { get }
  /// The maximum duration of one exchange.
  var exchangeLimit: Duration { get }

  /// Opens the device and makes sure of what it is. After an error, too, `close` has to follow.
  func open(address: String, while isWanted: () -> Bool) throws(TransportError) -> ReaderDescription

  /// Sends a request and returns the answer without checksum; nil if none came that can be one.
  ///
  /// `startsAfresh`: the tag is to lose its power first, where the device can do that.
  func send(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]?

  /// Switches the field off and gives the device back; may be called twice.
  func close()
}
