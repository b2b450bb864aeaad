// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import TextFormats

/// Terra's normalised `Body` documents, one for each day and device, from local midnight to the next
/// (HistoryFormats/Formats, "terra"). Only one day is kept in memory, however long the history is.
struct TerraWriter: HistoryWriter {
  let name = "terra"
  let summary = "Terra's Body JSON, one for each day and device"

  func document(_ context: ExportContext) -> any HistoryDocument { TerraDocument(context: context) }
}

private struct TerraDocument: HistoryDocument {
  let context: ExportContext
  /// The documents of one day, in the order of their first values.
  private(set) var bodies: [TerraBody] = []
  private(set) var isFirst = true
  private(set) var leftOut: [String: Int] = [:]
  private(set) var notesLeftOut = 0

  mutating func begin() -> [UInt8] { Array("{\"data\":[\n".utf8) }

  mutating func add(_ entry: HistoryEntry) -> [UInt8] {
    do throws(Omission) {
      let value = try GlucoseValue(entry)
      _ = try value.measured
      if entry.hasNote { notesLeftOut += 1 }
      let finished = LocalMoment(value.time, context).date == bodies.first?.day ? [] : flush()
      TerraBody.add(value, to: &bodies, context)
      return finished
    } catch {
      leftOut[error.rawValue, default: 0] += 1
      return []
    }
  }

  mutating func end() -> [UInt8] { flush() + Array("\n]}\n".utf8) }

  private mutating func flush() -> [UInt8] {
    var bytes: [UInt8] = []
    for body in bodies {
      if !isFirst { bytes += Array(",\n".utf8) }
      bytes += JSONWriter.line { body.write(context, to: &$0) }
      isFirst = false
    }
    bodies = []
    return bytes
  }
}

/// The values of one device on one day.
package struct TerraBody {
  enum Device: Hashable {
    case sensor(SensorIdentity, wear: Int)
    case imported(source: String, device: String?)
    case meter

    init(_ entry: HistoryEntry) {
      switch entry {
      case .sensor(let stored): self = .sensor(stored.sensor, wear: stored.wear)
      case .imported(let imported): self = .imported(source: imported.source, device: imported.device)
      case .fingerStick, .bloodPressure: self = .meter
      }
    }
  }

  /// The local date.
  let day: String
  let device: Device
  /// Never empty.
  private(set) var values: [GlucoseValue]

  /// Adds a value to the body of its day and device, or another body with it.
  package static func add(_ value: GlucoseValue, to bodies: inout [TerraBody], _ context: ExportContext) {
    let (day, device) = (LocalMoment(value.time, context).date, Device(value.entry))
    if let index = bodies.lastIndex(where: { $0.day == day && $0.device == device }) {
      bodies[index].values.append(value)
    } else {
      bodies.append(TerraBody(day: day, device: device, values: [value]))
    }
  }

  package func write(_ context: ExportContext, to writer: inout JSONWriter) {
    guard let first = values.first else { return writer.null() }
    writer.object { json in
      json.object("metadata") { json in
        json.member("start_time", Self.midnight(first.time, daysLater: 0, context))
        json.member("end_time", Self.midnight(first.time, daysLater: 1, context))
      }
      json.object("device_data") { writeDevice(first, context, to: &$0) }
      json.object("glucose_data") { json in
        // The values at scans are the trend, which has the higher resolution.
        Self.write("blood_glucose_samples", values.filter { $0.ring != .trend }, context, to: &json)
        Self.write("detailed_blood_glucose_samples", values.filter { $0.ring == .trend }, context, to: &json)
      }
    }
  }

  private func writeDevice(_ first: GlucoseValue, _ context: ExportContext, to json: inout JSONWriter) {
    switch first.entry {
    case .sensor(let stored):
      json.memberIfKnown("manufacturer", stored.sensor.family.manufacturer)
      json.member("name", stored.sensor.productName)
      json.memberIfKnown("serial_number", stored.sensor.serial)
      let activation = first.time.adding(minutes: -stored.sample.minute.value)
      json.member("activation_timestamp", Self.microseconds(activation, context))
    case .imported(let imported): json.member("name", imported.device ?? imported.source)
    case .fingerStick(let stick): json.memberIfKnown("name", stick.source)
    case .bloodPressure: break
    }
  }

  private static func write(
    _ key: String, _ values: [GlucoseValue], _ context: ExportContext, to json: inout JSONWriter
  ) {
    guard !values.isEmpty else { return }
    json.objects(key, values) { json, value in
      json.member("timestamp", microseconds(value.time, context))
      json.member("blood_glucose_mg_per_dL", value.concentration.milligramsPerDecilitre, places: 0)
    }
  }

  /// Returns `2024-05-02T12:15:00.000000+02:00`.
  private static func microseconds(_ instant: Instant, _ context: ExportContext) -> String {
    let local = LocalMoment(instant, context)
    return "\(local.date)T\(local.time).000000\(local.offset)"
  }

  /// Returns the midnight before a moment, or some days later, with the offset at that time.
  private static func midnight(_ instant: Instant, daysLater days: Int, _ context: ExportContext) -> String {
    let offset = LocalMoment(instant, context).offsetMinutes
    let local = instant.secondsSince1970 + Int64(offset) * 60
    let wanted = (local.floorDivided(by: Instant.secondsPerDay).quotient + Int64(days)) * Instant.secondsPerDay
    // A clock change may lie between the two, so the offset is determined again for the first result.
    let guess = Instant(secondsSince1970: wanted - Int64(offset) * 60)
    let there = LocalMoment(guess, context).offsetMinutes
    return microseconds(Instant(secondsSince1970: wanted - Int64(there) * 60), context)
  }
}
