// SPDX-License-Identifier: Apache-2.0
package import Meters

/// One reading of a meter, with what became of its records.
package struct MeterOutput: Sendable {
  package let readAt: Instant
  package let reading: MeterReading
  package let receipt: MeterReceipt
  private let clock: LocalClock

  package init(_ reading: MeterReading, receipt: MeterReceipt, readAt: Instant, clock: LocalClock) {
    self.reading = reading
    self.receipt = receipt
    self.readAt = readAt
    self.clock = clock
  }

  package var meter: MeterDescription { reading.meter }
  package var items: [MeterReceipt.Item] { receipt.items }

  /// Seconds by which the meter's clock is ahead of this machine's; nil if the meter did not report its time.
  package var clockAheadSeconds: Int? {
    guard let shown = meter.clock else { return nil }
    let here = CivilTime(readAt, offsetSeconds: clock.offsetSeconds(at: readAt))
    return Int(shown.instant(offsetSeconds: 0).secondsSince1970 - here.instant(offsetSeconds: 0).secondsSince1970)
  }
}

package enum MeterRecordOutcome: String, CaseIterable {
  case new, known
  case leftAside = "left_aside"

  package init(_ item: MeterReceipt.Item) {
    self = item.result.entry == nil ? .leftAside : item.isNew ? .new : .known
  }
}

extension MeterReceipt.Item {
  package var glucose: GlucoseRecord? { record.glucose }

  /// The decoded measurement of a cuff; nil for a glucose record.
  package var pressure: BloodPressureMeasurement? { record.bloodPressure?.measurement }

  package var meterTime: CivilTime? { glucose?.time.wallTime ?? record.bloodPressure?.wallTime }

  package var reason: (code: String, message: String)? {
    if case .leftAside(let code, let message) = result { (code, message) } else { nil }
  }
}
