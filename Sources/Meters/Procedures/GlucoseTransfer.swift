// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The packets of one transfer, joined to records: contexts by sequence number, offsets carried on in the order of
/// arrival, packets that came twice once.
struct GlucoseTransfer: Sendable {
  private let features: GlucoseFeatures?
  private let quirks: Set<MeterQuirk>
  private var arrivals: [Arrival] = []
  private var seen: Set<[UInt8]> = []
  private var contexts: [UInt16: (context: GlucoseMeasurementContext, packet: [UInt8])] = [:]
  private var offset: Int?
  /// Records that came before the present request: unasked, or by a request that another one replaced.
  private var earlier: [Arrival] = []
  /// True once records were asked for. A record that came before says nothing about those between it and the bookmark.
  private var isAsked = false
  private(set) var rejected: [RejectedPacket] = []
  private(set) var packetCount = 0

  private struct Arrival {
    let measurement: GlucoseMeasurement
    let packet: [UInt8]
    /// Offset that a record before it stated.
    let carriedOffset: Int?
  }

  init(features: GlucoseFeatures?, quirks: Set<MeterQuirk>) {
    self.features = features
    self.quirks = quirks
  }

  /// Number of records since the last request.
  var count: Int { isAsked ? arrivals.count : 0 }

  /// True if a context was announced and has not arrived.
  var awaitsContext: Bool {
    arrivals.contains { $0.measurement.hasContext && contexts[$0.measurement.sequenceNumber] == nil }
  }

  /// Begins a new request: from here on records come oldest first, and an offset is not carried on.
  mutating func begin() {
    isAsked = true
    offset = nil
    earlier += arrivals
    arrivals = []
    seen = []
  }

  /// Adds at the end what came before the last request.
  mutating func complete() {
    arrivals = earlier.filter { seen.insert($0.packet).inserted } + arrivals
    earlier = []
  }

  mutating func countPacket() { packetCount += 1 }

  mutating func keepMeasurement(_ bytes: [UInt8]) {
    packetCount += 1
    do throws(PacketError) {
      let measurement = try GlucoseMeasurement(bytes, readsMonth13AsJanuary: quirks.contains(.month13))
      if seen.insert(bytes).inserted {
        arrivals.append(Arrival(measurement: measurement, packet: bytes, carriedOffset: offset))
      }
      offset = measurement.timeOffsetMinutes ?? offset
    } catch {
      rejected.append(RejectedPacket(bytes: bytes, reason: error))
    }
  }

  mutating func keepContext(_ bytes: [UInt8]) {
    packetCount += 1
    do throws(PacketError) {
      let context = try GlucoseMeasurementContext(bytes)
      contexts[context.sequenceNumber] = (context, bytes)
    } catch {
      rejected.append(RejectedPacket(bytes: bytes, reason: error))
    }
  }

  /// All records, oldest first: by their numbers, or by time if the meter numbers them anew.
  func records() -> [GlucoseRecord] {
    let quirks = numbersRunBackwards ? quirks.union([.movingNumbers]) : quirks
    let records = (isAsked ? arrivals : []).map { arrival in
      let context = contexts[arrival.measurement.sequenceNumber]
      return GlucoseRecord(
        arrival.measurement, packet: arrival.packet, context: context?.context, contextPacket: context?.packet,
        carriedOffset: arrival.carriedOffset, features: features, quirks: quirks)
    }
    let order: [(key: Int64, place: Int)] = records.enumerated().map { place, record in
      let seconds = record.time.base.instant(offsetSeconds: 0).secondsSince1970
      return (record.hasLastingNumber ? Int64(record.sequenceNumber) : seconds, place)
    }
    return order.sorted { $0 < $1 }.map { records[$0.place] }
  }

  /// True if higher numbers are older without exception: such a meter gives the number 0 to its newest record, so that all
  /// numbers move with each measurement (read: tidepool-org/uploader, on meters of TaiDoc). A clock that was set back
  /// once makes an exception only.
  private var numbersRunBackwards: Bool {
    let times = arrivals.map(\.measurement).sorted { $0.sequenceNumber < $1.sequenceNumber }.map(\.baseTime)
    guard times.count >= 4 else { return false }
    return zip(times, times.dropFirst()).allSatisfy { $0.instant(offsetSeconds: 0) > $1.instant(offsetSeconds: 0) }
  }

  // MARK: Continuation of an earlier read

  /// True if the record of the bookmark came back unchanged.
  func contains(_ bookmark: GlucoseMeasurement) -> Bool {
    arrivals.contains { $0.measurement.isSameRecord(as: bookmark) }
  }

  /// True if the numbers do not continue those of the bookmark: another record has its number, or all are lower.
  func contradicts(_ bookmark: GlucoseMeasurement) -> Bool {
    let numbers = arrivals.map(\.measurement.sequenceNumber)
    guard let highest = numbers.max() else { return false }
    return highest < bookmark.sequenceNumber || !contains(bookmark) && numbers.contains(bookmark.sequenceNumber)
  }
}

extension GlucoseMeasurement {
  /// True for the same number, base time and value. The offset may differ: it changes when the user sets the clock.
  func isSameRecord(as other: GlucoseMeasurement) -> Bool {
    sequenceNumber == other.sequenceNumber && baseTime == other.baseTime
      && result?.concentration == other.result?.concentration && result?.unit == other.result?.unit
  }
}
