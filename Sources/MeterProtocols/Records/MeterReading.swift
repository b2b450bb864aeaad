// SPDX-License-Identifier: Apache-2.0

/// The result of one transfer from a meter.
package struct MeterReading: Hashable, Sendable {
  package let meter: MeterDescription
  /// All records that arrived, oldest first by the meter's numbers; those known from earlier reads are among them.
  package let records: [MeterRecord]
  /// Packets that could not be decoded.
  package let rejected: [RejectedPacket]
  /// Number of records that the meter announced; nil if it was not asked or did not say.
  package let announcedCount: Int?
  /// True if the meter's numbers do not continue those of the bookmark: records that share a number with a stored one are
  /// other records.
  package let wasReset: Bool
  /// The reason why the transfer is incomplete; nil if it is complete. The records are valid in either case.
  package let failure: MeterError?

  package init(
    meter: MeterDescription, records: [MeterRecord], rejected: [RejectedPacket] = [], announcedCount: Int? = nil,
    wasReset: Bool = false, failure: MeterError? = nil
  ) {
    self.meter = meter
    self.records = records
    self.rejected = rejected
    self.announcedCount = announcedCount
    self.wasReset = wasReset
    self.failure = failure
  }

  /// The record from which the next read of this meter continues: the one with the highest number, after a failure too,
  /// because no record below it is missing. nil without records, and for meters whose numbers do not last.
  package var bookmark: MeterBookmark? {
    records.compactMap { $0.glucose?.bookmark }.max { $0.sequenceNumber < $1.sequenceNumber }
  }
}
