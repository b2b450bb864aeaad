// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// A simulated meter, behind the same protocol as a real one. It needs no Bluetooth and never waits: delayed events and
/// timeouts happen immediately.
package actor SimulatedMeter: MeterLink {
  package nonisolated let identity: MeterIdentity
  package nonisolated let characteristics: Set<MeterCharacteristic>

  private let fault: SimulatedMeterFault?
  private let records: SimulatedRecords
  private let values: [MeterCharacteristic: [UInt8]]
  private var subscribed: Set<MeterCharacteristic> = []
  private var outgoing: [MeterEvent] = []
  private var isConnected = true
  private let clock: CivilTime

  enum Kind: String, Sendable, CaseIterable {
    case meter
    case cuff
    case oneTouch = "onetouch"

    var summary: String {
      switch self {
      case .meter: "a glucose meter"
      case .cuff: "a blood-pressure monitor"
      case .oneTouch: "a OneTouch meter"
      }
    }

    var faults: [SimulatedMeterFault] {
      self == .meter ? SimulatedMeterFault.allCases : [.drop, .double, .unpaired]
    }
  }

  /// A name is `meter`, `cuff` or `onetouch`, possibly followed by a colon and a fault (`meter:drop`) or the number of
  /// records in its memory (`meter:500`, 0…2000); nil for another. The records end before `now`, the user's wall time; the
  /// same record has the same number, time and value in every run.
  package init?(named name: String, now: CivilTime) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let kind = parts.first.flatMap({ Kind(rawValue: String($0)) }) else { return nil }
    let detail = parts.count == 2 ? String(parts[1]) : nil
    let fault = detail.flatMap(SimulatedMeterFault.init)
    let count = detail.flatMap(Int.init)
    if detail != nil {
      guard fault.map(kind.faults.contains) ?? count.map((0...Self.mostRecords).contains) ?? false else { return nil }
    }
    self.init(kind, fault, count: count ?? (kind == .cuff ? 14 : 60), name: name, now: now)
  }

  private static let mostRecords = 2_000

  private init(_ kind: Kind, _ fault: SimulatedMeterFault?, count: Int, name: String, now: CivilTime) {
    self.fault = fault
    identity = MeterIdentity(address: "sim:\(name)", name: "Simulated \(kind.rawValue)")
    records = kind == .cuff ? .pressures(count, now: now) : .strips(count, now: now)
    let model = "SIM-\(kind.rawValue.uppercased())"
    var values: [MeterCharacteristic: [UInt8]] = [
      .maker: Array("libre".utf8), .modelNumber: Array(model.utf8), .serialNumber: Array("\(model)-0001".utf8),
      .firmware: Array("1.0".utf8), .battery: [80],
    ]
    switch kind {
    case .meter:
      values[.glucoseFeature] = [0xFF, 0x03]
      values[.currentTime] = SimulatedRecords.bytes(now) + [0, 0, 0]
      characteristics = Set(values.keys).union([.glucoseMeasurement, .glucoseContext, .recordAccess])
    case .cuff: characteristics = Set(values.keys).union([.bloodPressureMeasurement])
    case .oneTouch: characteristics = Set(values.keys).union([.oneTouchCommand, .oneTouchAnswer])
    }
    self.values = values
    clock = now
  }

  /// All names with a summary, for help texts; the number of records can be given in place of a fault.
  package static let names: [(name: String, summary: String)] = Kind.allCases.flatMap { kind in
    [(kind.rawValue, kind.summary)]
      + kind.faults.map { ("\(kind.rawValue):\($0.rawValue)", "\(kind.summary) \($0.summary)") }
  }

  // MARK: MeterLink

  package func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent {
    if Task.isCancelled { return .cancelled }
    guard isConnected else { return .disconnected }
    guard characteristics.contains(request.characteristic) else { return .refused(.absent) }
    if case .read(let characteristic) = request {
      return values[characteristic].map { .value(characteristic, $0) } ?? .refused(.notPermitted)
    }
    if fault == .unpaired { return .refused(.notPaired) }
    switch request {
    case .read: break
    case .subscribe(let characteristic):
      subscribed.insert(characteristic)
      if characteristic == .bloodPressureMeasurement {
        send(records.numbers.map { [.value(characteristic, records.pressure($0))] })
      }
    case .records(let request):
      guard subscribed.isSuperset(of: [.glucoseMeasurement, .recordAccess]) else { return .refused(.notSubscribed) }
      answer(request)
    case .oneTouch(let request):
      guard subscribed.contains(.oneTouchAnswer) else { return .refused(.notSubscribed) }
      answer(request)
    case .bridge: return .refused(.absent)
    }
    return .accepted
  }

  package func nextEvent(within timeout: Duration) async -> MeterEvent {
    if Task.isCancelled { return .cancelled }
    if !outgoing.isEmpty {
      let event = outgoing.removeFirst()
      if event == .disconnected { isConnected = false }
      return event
    }
    return isConnected ? .quiet : .disconnected
  }

  package func disconnect() async { isConnected = false }

  // MARK: Sending

  /// Sends groups of events; a lost link loses the second half of them.
  private func send(_ groups: [[MeterEvent]]) {
    let groups = fault == .double ? groups.map { group in group.flatMap { [$0, $0] } } : groups
    guard fault == .drop else { return outgoing += groups.joined() }
    outgoing += groups.prefix(groups.count / 2).joined()
    outgoing.append(.disconnected)
  }

  private func answer(_ request: RecordAccessRequest) {
    // After a reset the memory has the same records with other numbers.
    let first = fault == .reset ? records.numbers.first ?? 0 : 0
    let chosen: [UInt16]
    switch request {
    case .countAll:
      return outgoing.append(.value(.recordAccess, [5, 0] + UInt16(records.numbers.count).littleEndianBytes))
    case .abort: return outgoing = [.value(.recordAccess, [6, 0, 3, 1])]
    case .reportAll: chosen = records.numbers
    case .report(let from):
      guard fault != .allOnly else { return outgoing.append(.value(.recordAccess, [6, 0, 1, 4])) }
      chosen = records.numbers.filter { $0 - first >= from }
    }
    var late: [MeterEvent] = []
    var groups: [[MeterEvent]] = []
    for (place, number) in chosen.enumerated() {
      var measurement = records.measurement(number, isFirst: place == 0)
      measurement.replaceSubrange(1...2, with: (number - first).littleEndianBytes)
      groups.append([.value(.glucoseMeasurement, measurement)])
      guard var context = records.context(number), fault != .noContext else { continue }
      context.replaceSubrange(1...2, with: (number - first).littleEndianBytes)
      let event = MeterEvent.value(.glucoseContext, context)
      if fault == .lateContext { late.append(event) } else { groups[place].append(event) }
    }
    send(groups)
    if fault != .silent, fault != .drop {
      outgoing.append(.value(.recordAccess, [6, 0, 1, chosen.isEmpty ? 6 : 1]))
    }
    outgoing += late
  }

  private func answer(_ request: OneTouchRequest) {
    let content: [UInt8]
    switch request {
    case .acknowledgement: return
    case .time: content = SimulatedRecords.oneTouchTime(clock)
    case .newestNumber: content = UInt32(records.numbers.last ?? 0).littleEndianBytes
    case .recordCount: content = UInt16(records.numbers.count).littleEndianBytes
    case .record(let number):
      if fault == .drop, number == records.numbers.dropFirst(records.numbers.count / 2).first {
        return outgoing = [.disconnected]
      }
      content = records.oneTouchRecord(number)
    }
    let answers: [MeterEvent] = [
      .value(.oneTouchAnswer, [OneTouchFrame.acknowledgement]),
      .value(.oneTouchAnswer, OneTouchFrame.bytes(carrying: [6] + content)),
    ]
    outgoing += fault == .double ? answers + answers : answers
  }
}

/// One thing that goes wrong in a simulated meter.
enum SimulatedMeterFault: String, Sendable, CaseIterable {
  case drop
  case silent
  case lateContext = "late-context"
  case noContext = "no-context"
  case double
  case unpaired
  case allOnly = "all-only"
  case reset

  /// The fault in words that follow "a glucose meter", "a cuff" or "a OneTouch meter".
  var summary: String {
    switch self {
    case .drop: "whose connection is lost in the middle"
    case .silent: "that never says that it is done"
    case .lateContext: "that sends the notes on its records late"
    case .noContext: "that announces notes and does not send them"
    case .double: "that sends everything twice"
    case .unpaired: "that has forgotten the pairing"
    case .allOnly: "that cannot select records by number"
    case .reset: "that was reset, so that it counts from 0 again"
    }
  }
}
