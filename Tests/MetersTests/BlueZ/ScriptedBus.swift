// SPDX-License-Identifier: Apache-2.0
import Glibc
import HostSystem
import Meters

@testable import Meters

/// A message bus made of answers, with a time of its own: waiting for a deadline takes no time.
///
/// Unchecked: the adapter uses it on one thread, and a test looks at it when the adapter has returned.
final class ScriptedBus: BusConnection, @unchecked Sendable {
  static let daemon = ":1.7"
  static let device = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"
  static let service = device + "/service0010"
  static let measurement = service + "/char0011"
  static let control = service + "/char0012"

  /// The events after a call was sent.
  enum Reaction: Sendable {
    case reply([BusValue])
    case failure(String, String = "")
    case signal(BusNotice)
    case call(BusNotice)
    case nothing
  }

  var now = Duration.zero
  let alarm = WakePipe()
  private(set) var sent: [BusCall] = []
  private(set) var answers: [UInt64: BusAnswer] = [:]
  private(set) var isClosed = false
  private let react: (BusCall, ScriptedBus) -> [Reaction]
  private var queue: [BusMessage] = []
  private var open: Set<UInt64> = []
  private var count: UInt64 = 0
  /// True if a pairing waits for the user: then only the alarm ends the next wait.
  var waitsForUser = false

  /// A bluetoothd with one adapter and one meter. `react` decides what follows a call; nil for the usual.
  init(
    paired: Bool = true, powered: Bool = true,
    _ react: @escaping (BusCall, ScriptedBus) -> [Reaction]? = { _, _ in nil }
  ) {
    self.react = { call, bus in
      react(call, bus) ?? Self.usual(call, paired: paired, powered: powered)
    }
  }

  /// A bluetoothd with these reactions to one call, and the usual ones to all others.
  convenience init(paired: Bool = true, on member: String, _ reactions: [Reaction]) {
    self.init(paired: paired) { call, _ in call.member == member ? reactions : nil }
  }

  var members: [String] { sent.map(\.member) }

  func send(_ call: BusCall) throws(BluetoothError) -> UInt64 {
    sent.append(call)
    count += 1
    let number = count
    for reaction in react(call, self) {
      switch reaction {
      case .reply(let body): queue.append(.reply(to: number, body))
      case .failure(let name, let text): queue.append(.failure(to: number, name: name, text: text))
      case .signal(let signal): queue.append(.signal(signal))
      case .call(let call):
        count += 1
        open.insert(count)
        queue.append(.call(count, call))
      case .nothing: break
      }
    }
    return number
  }

  func add(_ message: BusMessage) { queue.append(message) }

  func next() throws(BluetoothError) -> BusMessage? {
    if isClosed { throw .busLost(reason: "closed") }
    return queue.isEmpty ? nil : queue.removeFirst()
  }

  func wait(until end: Duration) throws(BluetoothError) {
    guard waitsForUser, !open.isEmpty else {
      now = end
      return
    }
    var descriptors = [pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)]
    // It waits as long as it takes: the user's answer is a task, which a busy machine may begin late.
    _ = poll(&descriptors, 1, -1)
    alarm.lower()
  }

  func answer(_ call: UInt64, _ answer: BusAnswer) {
    guard open.remove(call) != nil else { return }
    answers[call] = answer
    afterAnswer?(answer)
  }

  var afterAnswer: ((BusAnswer) -> Void)?

  func close() { isClosed = true }

  // MARK: The usual

  static func usual(_ call: BusCall, paired: Bool, powered: Bool) -> [Reaction] {
    switch call.member {
    case "GetNameOwner": [.reply([.text(daemon)])]
    case "GetManagedObjects": [.reply([objects(paired: paired, powered: powered)])]
    case "Pair": [.signal(changed(["Paired": .boolean(true)])), .reply([])]
    case "Connect":
      [
        .signal(changed(["Connected": .boolean(true)])), .reply([]),
        .signal(changed(["ServicesResolved": .boolean(true)])),
      ]
    case "Disconnect":
      [.signal(changed(["Connected": .boolean(false), "ServicesResolved": .boolean(false)])), .reply([])]
    default: [.reply([])]
    }
  }

  static func objects(paired: Bool, powered: Bool = true) -> BusValue {
    .dictionary([
      "/org/bluez": .dictionary([BlueZ.agentManager: .dictionary([:])]),
      "/org/bluez/hci0": .dictionary([
        BlueZ.adapter: .dictionary(["Address": .text("00:01:02:03:04:05"), "Powered": .boolean(powered)])
      ]),
      device: .dictionary([
        BlueZ.device: .dictionary([
          "Address": .text("C0:FF:EE:00:00:01"), "Name": .text("meter+0001"), "Paired": .boolean(paired),
          "Connected": .boolean(false), "ServicesResolved": .boolean(false),
          "UUIDs": .array([.text(MeterService.glucose.uuid)]), "RSSI": .number(-60),
        ])
      ]),
      service: .dictionary([BlueZ.service: .dictionary(["UUID": .text(MeterService.glucose.uuid)])]),
      measurement: .dictionary([
        BlueZ.characteristic: .dictionary(["UUID": .text(MeterCharacteristic.glucoseMeasurement.uuid)])
      ]),
      control: .dictionary([
        BlueZ.characteristic: .dictionary(["UUID": .text(MeterCharacteristic.recordAccess.uuid)])
      ]),
    ])
  }

  static func changed(_ properties: [String: BusValue]) -> BusNotice { changed(device, BlueZ.device, properties) }

  static func changed(
    _ path: String, _ interface: String, _ properties: [String: BusValue], sender: String = daemon
  ) -> BusNotice {
    BusNotice(
      sender: sender, path: path, interface: BlueZ.properties, member: "PropertiesChanged",
      body: [.text(interface), .dictionary(properties), .array([])])
  }

  /// A notification of a characteristic.
  static func value(_ bytes: [UInt8], of path: String = measurement, sender: String = daemon) -> BusNotice {
    changed(path, BlueZ.characteristic, ["Value": .bytes(bytes)], sender: sender)
  }

  /// A question of bluetoothd to the agent.
  static func question(
    _ member: String, _ device: String = device, _ more: [BusValue] = [], sender: String = daemon
  ) -> BusNotice {
    BusNotice(
      sender: sender, path: PairingAgent.path, interface: BlueZ.agent, member: member, body: [.text(device)] + more)
  }

  // MARK: The adapter

  func adapter() async throws(BluetoothError) -> BluetoothAdapter {
    try await BluetoothAdapter.open(timeouts: BluetoothTimeouts()) { self }
  }

  func link() async throws(BluetoothError) -> BlueZMeterLink { try await adapter().connect(meter) }
}
