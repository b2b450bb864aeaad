// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Synchronization

/// A conversation with bluetoothd: calls with a deadline, its objects, and the values that meters send.
///
/// Every function turns the same loop: take the next message, put it where it belongs, wait for the next. So a passkey is
/// asked for while `Pair` is under way, and a value that arrives during a call is kept.
///
/// Unchecked: used on its thread only.
final class BlueZSession: @unchecked Sendable {
  private let bus: any BusConnection
  let alarm: WakePipe
  private(set) var tree = ObjectTree()
  /// The unique name of bluetoothd; nil when it is gone.
  private var owner: String?
  private var replies: [UInt64: Result<[BusValue], BusFailure>] = [:]
  private var awaited: Set<UInt64> = []
  /// Set when the caller of the present operation no longer waits; nil for operations that end only by their deadline.
  var interruption: Interruption?
  /// Paths of the characteristics that were subscribed to.
  private var subscriptions: Set<String> = []
  private var values: [(path: String, bytes: [UInt8])] = []
  /// Devices that were connected at some time since `watchLink`, also if the link has ended.
  private var linked: Set<String> = []
  private(set) var agent: PairingAgent?

  /// Longest value that Bluetooth allows for a characteristic (Core Specification, volume 3, part F, 3.2.9).
  static let maximumValueLength = 512
  /// Most values kept for a link that does not take them; more than any meter stores.
  static let maximumValues = 20_000

  init(_ bus: any BusConnection) { (self.bus, alarm) = (bus, bus.alarm) }

  /// Learns who bluetoothd is and what it has.
  func begin() throws(BluetoothError) {
    do throws(BusFailure) {
      // Asked for first: what changes during the calls that follow is then seen as a signal.
      let rules = [
        "type='signal',sender='\(BlueZ.name)'",
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(BlueZ.name)'",
      ]
      for rule in rules { _ = try call(.addMatch(rule)) }
      owner = try call(.ownerOfName(BlueZ.name)).first?.text
      tree = ObjectTree(managed: try call(.managedObjects))
    } catch { throw error.error("the list of adapters and devices") }
  }

  func end() {
    agent?.cancel()
    bus.close()
  }

  // MARK: Calls

  /// Deadline of a call that waits for bluetoothd alone: the usual one of D-Bus libraries.
  static let timeout = Duration.seconds(25)

  func call(_ call: BusCall, within timeout: Duration = BlueZSession.timeout) throws(BusFailure) -> [BusValue] {
    let end = bus.now + timeout
    let number: UInt64
    do { number = try bus.send(call) } catch { throw .system(error) }
    awaited.insert(number)
    defer {
      awaited.remove(number)
      replies[number] = nil
    }
    while true {
      if let reply = replies[number] { return try reply.get() }
      guard try turn(until: end) else { throw .overdue(seconds: Int(timeout.components.seconds)) }
    }
  }

  /// Waits until `condition` gives a value; nil if the time is up before.
  func wait<Value>(
    within timeout: Duration, for condition: () throws(BusFailure) -> Value?
  ) throws(BusFailure) -> Value? {
    let end = bus.now + timeout
    while true {
      if let value = try condition() { return value }
      guard try turn(until: end) else { return nil }
    }
  }

  /// Processes one message, or waits for the next; false if the time is up.
  private func turn(until end: Duration) throws(BusFailure) -> Bool {
    if interruption?.isSet == true { throw .cancelled }
    agent?.deliver(bus)
    let message: BusMessage?
    do {
      message = try bus.next()
      if message == nil {
        guard bus.now < end else { return false }
        try bus.wait(until: end)
      }
    } catch {
      owner = nil
      throw .system(error)
    }
    switch message {
    case nil: break
    case .reply(let number, let body): if awaited.contains(number) { replies[number] = .success(body) }
    case .failure(let number, let name, let text):
      if awaited.contains(number) { replies[number] = .failure(.error(name: name, text: text)) }
    case .signal(let signal): process(signal)
    case .call(let number, let call): answer(number, call)
    }
    return true
  }

  private func process(_ signal: BusNotice) {
    if signal.interface == "org.freedesktop.DBus", signal.member == "NameOwnerChanged" {
      guard signal.sender == "org.freedesktop.DBus", signal.body.count == 3, signal.body[0].text == BlueZ.name
      else { return }
      // A restarted daemon has lost our registrations.
      owner = nil
      return
    }
    // Any program may send a signal to us directly.
    guard let owner, signal.sender == owner else { return }
    tree.apply(signal)
    if isConnected(signal.path) { linked.insert(signal.path) }
    guard subscriptions.contains(signal.path), signal.member == "PropertiesChanged", signal.body.count >= 2,
      signal.body[0].text == BlueZ.characteristic, let bytes = signal.body[1].dictionary?["Value"]?.bytes,
      bytes.count <= Self.maximumValueLength, values.count < Self.maximumValues
    else { return }
    values.append((signal.path, bytes))
  }

  private func answer(_ number: UInt64, _ call: BusNotice) {
    guard let agent, let owner, call.sender == owner, call.interface == BlueZ.agent, call.path == PairingAgent.path
    else { return bus.answer(number, .error(name: "org.freedesktop.DBus.Error.UnknownMethod")) }
    agent.answer(number, call, on: bus)
  }

  // MARK: The agent

  /// BlueZ asks the agent of the program that pairs.
  func register(_ agent: PairingAgent) throws(BusFailure) {
    guard self.agent == nil else { throw .error(name: "org.bluez.Error.InProgress", text: "") }
    self.agent = agent
    do throws(BusFailure) { _ = try call(.registerAgent(PairingAgent.path, capability: agent.capability)) } catch {
      self.agent = nil
      throw error
    }
  }

  func unregisterAgent() {
    guard let agent else { return }
    agent.cancel()
    _ = try? call(.unregisterAgent(PairingAgent.path))
    self.agent = nil
  }

  // MARK: A device

  /// False after bluetoothd or the bus went away.
  var isAlive: Bool { owner != nil }

  func isConnected(_ device: String) -> Bool { isTrue("Connected", of: device) }

  /// Begins to note whether there is a link to a device.
  func watchLink(to device: String) { linked = isConnected(device) ? [device] : [] }

  /// True if there was a link since `watchLink`, even if it ended before anyone could see it.
  func hadLink(to device: String) -> Bool { linked.contains(device) }

  func isTrue(_ property: String, of device: String) -> Bool {
    tree.properties(BlueZ.device, at: device)?[property]?.boolean ?? false
  }

  func keepValues(of path: String) { subscriptions.insert(path) }

  func takeValue() -> (path: String, bytes: [UInt8])? { values.isEmpty ? nil : values.removeFirst() }

  func forgetValues() {
    subscriptions = []
    values = []
  }
}

/// Tells an operation that its caller no longer waits.
final class Interruption: Sendable {
  private let state = Atomic(false)
  var isSet: Bool { state.load(ordering: .acquiring) }
  func set() { state.store(true, ordering: .releasing) }
}

/// The objects of bluetoothd: adapters, devices, services and characteristics, with their properties.
///
/// Kept up to date by its signals. It holds what arrived, checked only when it is read.
struct ObjectTree: Hashable, Sendable {
  typealias Properties = [String: BusValue]

  /// Path, then interface, then property.
  private var objects: [String: [String: Properties]] = [:]

  init() {}

  /// The answer to `GetManagedObjects`.
  init(managed body: [BusValue]) {
    for (path, interfaces) in body.first?.dictionary ?? [:] { add(path, interfaces) }
  }

  private mutating func add(_ path: String, _ interfaces: BusValue) {
    for (interface, properties) in interfaces.dictionary ?? [:] {
      objects[path, default: [:]][interface] = properties.dictionary ?? [:]
    }
  }

  /// Applies a signal of the object manager or of an object's properties; others change nothing.
  mutating func apply(_ signal: BusNotice) {
    let body = signal.body
    switch (signal.interface, signal.member) {
    case (BlueZ.objectManager, "InterfacesAdded"):
      guard body.count >= 2, let path = body[0].text else { return }
      add(path, body[1])
    case (BlueZ.objectManager, "InterfacesRemoved"):
      guard body.count >= 2, let path = body[0].text, let interfaces = body[1].texts else { return }
      for interface in interfaces { objects[path]?[interface] = nil }
      if objects[path]?.isEmpty == true { objects[path] = nil }
    case (BlueZ.properties, "PropertiesChanged"):
      guard body.count >= 2, let interface = body[0].text, let changed = body[1].dictionary,
        objects[signal.path]?[interface] != nil
      else { return }
      objects[signal.path]?[interface]?.merge(changed) { $1 }
      for name in body.dropFirst(2).first?.texts ?? [] { objects[signal.path]?[interface]?[name] = nil }
    default: break
    }
  }

  func properties(_ interface: String, at path: String) -> Properties? { objects[path]?[interface] }

  /// Sorted paths of the objects below a path that have this interface.
  func paths(with interface: String, below parent: String = BlueZ.root) -> [String] {
    objects.filter { $0.key.hasPrefix(parent + "/") && $0.value[interface] != nil }.map(\.key).sorted()
  }
}
