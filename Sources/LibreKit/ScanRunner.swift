// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import NFCTransport

/// Carries a scan's questions to a reader and the answers back.
public enum ScanRunner {
  /// Reads the sensor on `reader`. The image's time is what `now` gives when the last answer is in.
  ///
  /// Throws what the reader throws, and what `Scan.feed` throws: nothing is tried twice here but what a scan itself
  /// asks for again.
  public static func run(
    on reader: any TagReader, now: @Sendable () -> Instant
  ) async throws(TransportError) -> MemoryImage {
    var scan = Scan()
    while let request = scan.next() {
      try scan.feed(try await reader.response(to: request))
    }
    return scan.image(readAt: now())
  }
}
