// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import NFCTransport

/// The result of a scan, complete or not.
public struct ScanReport: Hashable, Sendable {
  /// The memory, with a list of the blocks that were not read.
  public let image: MemoryImage
  /// The error that ended the scan early; nil if it is complete.
  public let failure: TransportError?
  public let reader: ReaderDescription
  /// True for a replayed recording, which also gives the time of the image, if known.
  public let isRecorded: Bool
  /// The number of times that a sensor was placed on the reader.
  public let taps: Int
  /// The exchanges with the sensor, including repeated ones.
  public let meter: ExchangeMeter
  /// The time since the first sensor was found; zero if none was.
  public let elapsed: Duration

  /// The source of the read time.
  public var readAtSource: ReadTimeSource {
    guard isRecorded else { return .clock }
    return image.readAt == nil ? .unknown : .file
  }
}
