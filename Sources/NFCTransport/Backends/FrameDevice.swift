// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// A device that carries frames to a tag as they are: the part of a reader below `FrameReader`.
///
/// Its functions block, are called on one thread, and end soon after `isWanted` says no.
protocol FrameDevice: Sendable {
  /// What it is called in errors, also before it is open.
  var name: String { get }
  /// How long opening and closing it may take.
  var openingLimit: Duration { get }
  /// How long one exchange may take.
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
