// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import LibreKit
package import Meters
package import SensorHistory

package struct MeterOutput: Sendable {
  package let readAt: Instant
  package let reading: MeterReading
  package let receipt: MeterReceipt
  let clock: LocalClock

  package init(_ reading: MeterReading, receipt: MeterReceipt, readAt: Instant, clock: LocalClock) {
    self.reading = reading
    self.receipt = receipt
    self.readAt = readAt
    self.clock = clock
  }

  var meter: MeterDescription { reading.meter }
  package var items: [MeterReceipt.Item] { receipt.items }

  /// Seconds by which the meter's clock is ahead of this machine's; nil if the meter did not report its time.
  var clockAheadSeconds: Int? {
    guard let shown = meter.clock else { return nil }
    let here = CivilTime(readAt, offsetSeconds: clock.offsetSeconds(at: readAt))
    return Int(shown.instant(offsetSeconds: 0).secondsSince1970 - here.instant(offsetSeconds: 0).secondsSince1970)
  }
}

enum MeterRecordOutcome: String, CaseIterable {
  case new, known
  case leftAside = "left_aside"

  init(_ item: MeterReceipt.Item) {
    self = item.result.entry == nil ? .leftAside : item.isNew ? .new : .known
  }
}

extension MeterReceipt.Item {
  var glucose: GlucoseRecord? { record.glucose }

  /// The decoded measurement of a cuff; nil for a glucose record.
  var pressure: BloodPressureMeasurement? { record.bloodPressure?.measurement }

  var meterTime: CivilTime? { glucose?.time.wallTime ?? record.bloodPressure?.wallTime }

  var reason: (code: String, message: String)? {
    if case .leftAside(let code, let message) = result { (code, message) } else { nil }
  }
}

extension GlucoseSampleType {
  var name: String {
    switch self {
    case .capillaryWholeBlood: "capillary_whole_blood"
    case .capillaryPlasma: "capillary_plasma"
    case .venousWholeBlood: "venous_whole_blood"
    case .venousPlasma: "venous_plasma"
    case .arterialWholeBlood: "arterial_whole_blood"
    case .arterialPlasma: "arterial_plasma"
    case .undeterminedWholeBlood: "undetermined_whole_blood"
    case .undeterminedPlasma: "undetermined_plasma"
    case .interstitialFluid: "interstitial_fluid"
    case .controlSolution: "control_solution"
    }
  }
}

extension GlucoseSampleLocation {
  var name: String {
    switch self {
    case .finger: "finger"
    case .alternateSite: "alternate_site"
    case .earlobe: "earlobe"
    case .controlSolution: "control_solution"
    case .notAvailable: "not_available"
    }
  }
}

extension GlucoseMeasurementContext.Meal {
  var name: String {
    switch self {
    case .before: "before"
    case .after: "after"
    case .fasting: "fasting"
    case .casual: "casual"
    case .bedtime: "bedtime"
    }
  }

  var words: String {
    switch self {
    case .before, .after: "\(name) a meal"
    case .fasting, .casual: name
    case .bedtime: "at bedtime"
    }
  }
}
