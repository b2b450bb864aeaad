// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TestSupport

@testable import SampleSync

extension FieldMapParcel {
  /// Returns the valid values for a field by its words; computed here from the entry and not by the writers.
  func values(of field: SinkField) -> [JSONValue] {
    guard let entry = batch.entries.first, let ours = field.ours else { return [] }
    let note = field.note ?? ""
    switch ours {
    case "time": return entry.time.map { times($0, note) } ?? []
    case "activated_at": return batch.sensor?.activatedAt.map { times($0, note) } ?? [.null]
    case "expires_at": return batch.sensor?.expiresAt.map { times($0, note) } ?? [.null]
    case "last_read_at": return batch.sensor?.lastReadAt.map { times($0, note) } ?? [.null]
    case "sent_at": return times(context.now, note)
    case "glucose_mg_dl", "model_glucose_mg_dl": return concentrations(entry, note, isModel: ours.hasPrefix("model"))
    case "id", "uid": return identifiers(ours == "id" ? entry.id : stored?.sensor.uid.map(FHIRDevice.id), ours, note)
    case "ring": return rings(entry, note)
    case "serial", "family": return sensor(ours, note)
    case "device", "source", "bound", "note", "conditions", "systolic_mmhg", "diastolic_mmhg", "mean_mmhg",
      "pulse_per_minute":
      return others(ours, entry, note)
    case "reference_id": return [text(context.person)]
    case "batch": return [text(batch.key)]
    case "stage": return [text(batch.stage.rawValue)]
    case "time_zone": return [text(context.clock.zoneName)]
    case "direction":
      let direction = batch.current?.direction
      return [text(note.isEmpty ? direction?.rawValue : direction == .fortyFiveUp ? "slowRise" : "moderateFall")]
    case "rate_mg_dl_per_min":
      guard let rate = batch.current?.ratePerMinute else { return [.null] }
      switch note {
      case "mg/dL in five minutes": return [.number((rate * 50).rounded(.toNearestOrAwayFromZero) / 10)]
      case "mg/dL/minute": return [text("mg/dL/minute")]
      default: return [.number(rate)]
      }
    default: return [measured(ours)]
    }
  }

  private var stored: StoredSample? {
    if case .sensor(let stored)? = batch.entries.first { stored } else { nil }
  }

  private func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  private func number(_ number: Int?) -> JSONValue { number.map { .number(Double($0)) } ?? .null }

  /// Values that only a sensor's sample has.
  private func measured(_ ours: String) -> JSONValue {
    let sample = stored?.sample
    return switch ours {
    case "minute": number(sample?.minute.value)
    case "wear": number(stored?.wear)
    case "raw": .null
    case "raw.glucose": number(sample.map { Int($0.raw.glucose) })
    case "raw.temperature": number(sample.map { Int($0.raw.temperature) })
    case "raw.temperature_adjustment": number(sample.map { Int($0.raw.temperatureAdjustment) })
    case "raw.has_error": sample.map { .bool($0.raw.hasError) } ?? .null
    case "raw.error_field": number(sample.flatMap { $0.raw.errorField.map(Int.init) })
    case "quality": text("ok")
    case "errors": .array([])
    case "temperature_c": sample?.temperatureCelsius.map(JSONValue.number) ?? .null
    case "fingerprint": .null
    case "salvaged": .bool(true)
    case "state": text(batch.sensor?.state?.name)
    default: .string("no such name: \(ours)")
    }
  }

  private func times(_ time: Instant, _ note: String) -> [JSONValue] {
    let seconds = time.secondsSince1970
    let offset = context.clock.offsetSeconds(at: time)
    let local = time.adding(minutes: offset / 60).rfc3339.dropLast()
    let zone = offset == 7_200 ? "+02:00" : "+09:00"
    let midnight = local.prefix(10)
    let next = time.adding(minutes: offset / 60).adding(days: 1).rfc3339.prefix(10)
    switch note {
    case "milliseconds since 1970": return [.number(Double(seconds) * 1_000)]
    case "seconds since 1970": return [.number(Double(seconds))]
    case "minutes of the local offset": return [.number(Double(offset / 60))]
    case "local time with milliseconds and offset": return [text("\(local).000\(zone)")]
    case "local time with microseconds and offset": return [text("\(local).000000\(zone)")]
    case "local time with its offset": return [text("\(local)\(zone)")]
    case "local time without an offset": return [text(String(local))]
    case "UTC with milliseconds": return [text("\(time.rfc3339.dropLast()).000Z")]
    case "local midnight before": return [text("\(midnight)T00:00:00.000000\(zone)")]
    case "local midnight after": return [text("\(next)T00:00:00.000000\(zone)")]
    case "UUIDv5 of device and date, by Nightscout's recipe":
      let device = values(of: NightscoutSink.type.fields.filter { $0.theirs == "[].device" })
      // The algorithm itself is compared with Nightscout's own vectors elsewhere.
      return device.compactMap(\.text).map {
        text(NightscoutEntry.identifier(device: $0, milliseconds: Int(seconds) * 1_000).description)
      }
    default: return [text(time.rfc3339)]
    }
  }

  private func values(of fields: [SinkField]) -> [JSONValue] { fields.flatMap(values) }

  private func concentrations(_ entry: HistoryEntry, _ note: String, isModel: Bool) -> [JSONValue] {
    guard let value = entry.usableConcentration?.milligramsPerDecilitre, !isModel || stored != nil else {
      return [.null]
    }
    let whole = value.rounded(.toNearestOrAwayFromZero)
    let molar = value / 18.0182
    var bound: ImportedSample.Bound?
    if case .imported(let imported) = entry { bound = imported.bound }
    switch note {
    case "whole mg/dL": return [.number(whole)]
    case "whole mg/dL, at least 40": return [.number(max(40, whole))]
    case "the limit in whole mg/dL": return [.number(whole)]
    case "mmol/L": return [.number(molar)]
    case "in the sink's unit": return [.number(value), .number(molar)]
    case "mg/dL; one beyond a limit": return [.number(bound == .low ? value - 1 : bound == .high ? value + 1 : value)]
    default: return [.number(value)]
    }
  }

  private func identifiers(_ id: SampleID?, _ ours: String, _ note: String) -> [JSONValue] {
    guard let id else { return [.null] }
    if note.isEmpty { return [text(ours == "uid" ? stored?.sensor.uid?.description : id.description)] }
    if note.hasPrefix("the search for the identifier of") {
      return [text("Observation?identifier=urn%3Aietf%3Arfc%3A3986%7Curn%3Auuid%3A\(id)")]
    }
    if note.hasPrefix("the search") { return [text("identifier=urn:ietf:rfc:3986|urn:uuid:\(id)")] }
    return [text("urn:uuid:\(id)")]
  }

  private func rings(_ entry: HistoryEntry, _ note: String) -> [JSONValue] {
    var kind = "finger_stick"
    var isSensor = false
    var isTyped = false
    switch entry {
    case .sensor(let stored): (kind, isSensor) = (stored.sample.ring.rawValue, true)
    case .imported(let imported): kind = imported.ring.rawValue
    case .fingerStick(let stick): isTyped = stick.source == nil
    case .bloodPressure: kind = "blood_pressure"
    }
    let isBlood = kind == "finger_stick"
    switch note {
    case "sgv, or mbg for blood": return [text(isBlood ? "mbg" : "sgv")]
    case "cbg, or smbg for blood": return [text(isBlood ? "smbg" : "cbg")]
    case "manual for blood that was typed in": return isTyped ? [text("manual")] : []
    case "milliseconds between values of the ring": return isSensor ? [.number(kind == "trend" ? 60_000 : 900_000)] : []
    case "true for the history": return isSensor && kind == "history" ? [.bool(true)] : []
    case "manual_scan; unknown for imported values, fingerprick for blood":
      return [text(isSensor ? "manual_scan" : isBlood ? "fingerprick" : "unknown")]
    case "LOINC for a sensor or blood, by the unit; for blood pressure":
      if kind == "blood_pressure" { return [text("85354-9")] }
      return (isBlood ? ["2339-0", "15074-8"] : ["99504-3", "105272-9"]).map(text)
    default: return [text(kind)]
    }
  }

  private func sensor(_ ours: String, _ note: String) -> [JSONValue] {
    let serial = stored?.sensor.serial
    switch note {
    case "libre://SERIAL": return serial.map { [text("libre://\($0)")] } ?? []
    case "Libre-SERIAL": return serial.map { [text("Libre-\($0)")] } ?? []
    case "Libre-SERIAL, or libre without a sensor": return [text(serial.map { "Libre-\($0)" } ?? "libre")]
    case "Abbott": return [text("Abbott")]
    case "Abbott and the name of the product": return [text("Abbott FreeStyle Libre")]
    case "name of the product": return stored == nil ? [] : [text("FreeStyle Libre")]
    case "name of the product, or libre without a sensor": return [text(stored == nil ? "libre" : "FreeStyle Libre")]
    default: return [text(ours == "serial" ? serial : stored?.sensor.family.rawValue)]
    }
  }

  /// Values that imported values and finger-sticks have.
  private func others(_ ours: String, _ entry: HistoryEntry, _ note: String) -> [JSONValue] {
    switch entry {
    case .sensor: return []
    case .imported(let imported):
      switch (ours, note) {
      case ("device", "SOURCE://DEVICE"): return [text("\(imported.source)://\(imported.device ?? "")")]
      case ("device", "SOURCE-DEVICE"): return [text("\(imported.source)-\(imported.device ?? "")")]
      case ("device", "SOURCE DEVICE"): return [text("\(imported.source) \(imported.device ?? "")")]
      case ("device", _): return [text(imported.device)]
      case ("source", _): return [text(imported.source)]
      case ("bound", "< or >"): return [text(imported.bound == .low ? "<" : ">")]
      case ("bound", _): return [text(imported.bound?.rawValue)]
      default: return []
      }
    case .fingerStick(let stick):
      switch ours {
      case "source": return [text(stick.source), text("libre://finger_stick"), text("libre-manual")]
      case "note": return [text(stick.note)]
      default: return []
      }
    case .bloodPressure(let pressure):
      switch ours {
      case "source": return [text(pressure.source)]
      case "conditions": return [text(pressure.conditions.joined(separator: " "))]
      case "systolic_mmhg": return [.number(pressure.systolicMillimetresOfMercury)]
      case "diastolic_mmhg": return [.number(pressure.diastolicMillimetresOfMercury)]
      case "mean_mmhg": return pressure.meanMillimetresOfMercury.map { [.number($0)] } ?? []
      case "pulse_per_minute": return pressure.pulse.map { [.number($0)] } ?? []
      default: return []
      }
    }
  }
}
