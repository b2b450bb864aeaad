// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import NFCTransport

/// The result of a scan, complete or not.
package struct ScanReport: Hashable, Sendable {
  /// The memory, with a list of the blocks that were not read.
  package let image: MemoryImage
  /// The error that ended the scan early; nil if it is complete.
  package let failure: TransportError?
  package let reader: ReaderDescription
  /// True for a replayed recording, which also gives the time of the image, if known.
  package let isRecorded: Bool
  /// The number of times that a sensor was placed on the reader.
  package let taps: Int
  /// The exchanges with the sensor, including repeated ones.
  package let meter: ExchangeMeter
  /// The time since the first sensor was found; zero if none was.
  package let elapsed: Duration

  /// The source of the read time.
  package var readAtSource: ReadTimeSource {
    guard isRecorded else { return .clock }
    return image.readAt == nil ? .unknown : .file
  }
}
