// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import NFCTransport

/// What a scan brought, whether it was completed or not.
public struct ScanReport: Hashable, Sendable {
  /// What was read; the blocks that were not are named in it.
  public let image: MemoryImage
  /// Why the scan was broken off; nil if all that the sensor shows was read.
  public let failure: TransportError?
  public let reader: ReaderDescription
  /// True if the answers were recorded, and the image's time with them if it has one.
  public let isRecorded: Bool
  /// How often a sensor came.
  public let taps: Int
  /// What the conversation took, all attempts counted.
  public let meter: ExchangeMeter
  /// From the moment the first sensor was there; zero if none came.
  public let elapsed: Duration

  /// Who says when the sensor was read.
  public var readAtSource: ReadTimeSource {
    guard isRecorded else { return .clock }
    return image.readAt == nil ? .unknown : .file
  }
}
