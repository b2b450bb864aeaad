// SPDX-License-Identifier: Apache-2.0
package import Meters

struct KeptRecord {
  let record: MeterRecord
  let row: MeterRow

  init(_ record: MeterRecord, meter: MeterFacts, clock: LocalClock, now: Instant) {
    self.record = record
    let wallNow = CivilTime(now, offsetSeconds: clock.offsetSeconds(at: now))
    switch record {
    case .glucose(let glucose):
      let result = Self.result(glucose, meter, clock, wallNow)
      let value = glucose.value?.description ?? glucose.special.map { "\($0)" } ?? "-"
      let words = "\(glucose.kind.rawValue) \(value)"
      row = MeterRow(
        key: glucose.hasLastingNumber
          ? .sequence(glucose.sequenceNumber) : .facts("\(glucose.time.wallTime) \(words)"),
        value: words, baseTime: glucose.time.base, meterTime: glucose.time.wallTime,
        packets: [glucose.packet, glucose.contextPacket].compactMap(\.self), result: result)
    case .bloodPressure(let pressure):
      let result = Self.result(pressure, meter, clock, wallNow)
      let sent = pressure.measurement
      let words = [sent.systolic, sent.diastolic, sent.mean, sent.pulse].map { $0?.number?.description ?? "-" }
      let value = "\(words.joined(separator: "/")) \(sent.unit.rawValue) \(sent.user.map { String($0) } ?? "-")"
      row = MeterRow(
        key: .facts("\(pressure.wallTime?.description ?? "-") \(value)"), value: value, baseTime: pressure.wallTime,
        meterTime: pressure.wallTime, packets: [pressure.packet], result: result)
    }
  }

  private static func result(
    _ record: GlucoseRecord, _ meter: MeterFacts, _ clock: LocalClock, _ now: CivilTime
  ) -> MeterRow.Content {
    switch FingerStickVerdict(record, now: now) {
    case .usable(let wall, let concentration):
      let stick = FingerStick(time: clock.moment(of: wall), concentration: concentration, source: meter.source)
      return .entry(HistoryEntry.fingerStick(stick).identified())
    case .unusable(let reason): return .leftAside(code: reason.code, message: reason.message)
    }
  }

  private static func result(
    _ record: BloodPressureRecord, _ meter: MeterFacts, _ clock: LocalClock, _ now: CivilTime
  ) -> MeterRow.Content {
    let sent = record.measurement
    switch BloodPressureVerdict(record, now: now) {
    case .usable(let values):
      guard let wall = record.wallTime, let systolic = sent.systolic.number, let diastolic = sent.diastolic.number
      else { return .leftAside(code: "no_time", message: "the cuff sent no date; set its clock") }
      let pressure = BloodPressure(
        time: clock.moment(of: wall), systolic: systolic.value, diastolic: diastolic.value,
        mean: values.mean == nil ? nil : sent.mean.number?.value, unit: sent.unit, pulse: values.pulse,
        user: sent.user.map(Int.init), conditions: sent.status?.names ?? [], source: meter.source)
      return .entry(HistoryEntry.bloodPressure(pressure).identified())
    case .unusable(let reason): return .leftAside(code: reason.code, message: reason.message)
    }
  }
}

extension MeterFacts {
  package init(_ meter: MeterDescription) {
    self.init(
      address: meter.identity.address, serial: meter.serialNumber, maker: meter.maker ?? meter.model?.maker,
      model: meter.modelNumber, name: meter.identity.name)
  }
}

extension LocalClock {
  /// The moment at which a meter showed this time: the earlier one in the hour that is repeated when summer time ends.
  /// In the hour that is skipped when it begins, the meter's clock had not been set yet.
  func moment(of wall: CivilTime) -> Instant {
    if let moment = moments(of: wall).first { return moment }
    let before = wall.instant(offsetSeconds: 0).adding(days: -1)
    return wall.instant(offsetSeconds: offsetSeconds(at: before))
  }
}
