// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// This computer's Bluetooth adapter, through bluetoothd: finds, pairs and connects meters.
///
/// The adapter is left as it was found: a search is ended, the agent is unregistered and a meter is disconnected, also after
/// an error and in a cancelled task, provided that `close` is awaited. Nothing switches the adapter on or off.
///
/// Run against a private message bus with a simulated bluetoothd, and against bluetoothd with a simulated meter; untested
/// on hardware.
package final class BluetoothAdapter: Sendable {
  /// Name in the system: `hci0`.
  package let name: String
  private let path: String
  private let session: BlueZSession
  private let thread: BlockingThread<BluetoothError>
  let timeouts: BluetoothTimeouts

  private init(
    _ adapter: BluetoothReport.Adapter, _ session: BlueZSession, _ thread: BlockingThread<BluetoothError>,
    _ timeouts: BluetoothTimeouts
  ) {
    (name, path) = (adapter.name, adapter.path)
    self.session = session
    self.thread = thread
    self.timeouts = timeouts
  }

  /// Connects to bluetoothd and takes its first adapter that is on, or the first.
  ///
  /// - Parameter environment: DBUS_SYSTEM_BUS_ADDRESS is the address of another bus than the usual one.
  package static func open(environment: [String: String]) async throws(BluetoothError) -> BluetoothAdapter {
    try await open(timeouts: BluetoothTimeouts()) { () throws(BluetoothError) in try systemBus(environment) }
  }

  static func open(
    timeouts: BluetoothTimeouts, on connection: @escaping @Sendable () throws(BluetoothError) -> any BusConnection
  ) async throws(BluetoothError) -> BluetoothAdapter {
    try await begin(on: connection) { (session, thread) throws(BluetoothError) in
      do throws(BluetoothError) {
        try session.begin()
        let all = BluetoothReport.adapters(in: session.tree)
        guard let adapter = all.first(where: \.isPowered) ?? all.first else { throw .noAdapter }
        return BluetoothAdapter(adapter, session, thread, timeouts)
      } catch {
        session.end()
        throw error
      }
    }
  }

  /// Connects to the bus on a thread of its own, and runs the first operation there.
  static func begin<Value: Sendable>(
    on connection: @escaping @Sendable () throws(BluetoothError) -> any BusConnection,
    _ work: @escaping @Sendable (BlueZSession, BlockingThread<BluetoothError>) throws(BluetoothError) -> Value
  ) async throws(BluetoothError) -> Value {
    let thread = BlockingThread<BluetoothError>("libre.bluetooth", cancelled: .cancelled, refusesWhileStuck: true)
    return try await thread.perform(within: stuck, orThrow: silent(stuck)) { () throws(BluetoothError) in
      try work(BlueZSession(try connection()), thread)
    }
  }

  /// Limit for operations of a few calls, which keep deadlines of their own: a library that does not return ends by it.
  static let stuck = Duration.seconds(120)

  private static func silent(_ limit: Duration) -> BluetoothError {
    .silent(what: "the message bus", seconds: Int(limit.components.seconds))
  }

  static func systemBus(_ environment: [String: String]) throws(BluetoothError) -> any BusConnection {
    #if Bluetooth
      try SystemBus(environment: environment)
    #else
      throw .notInThisBuild
    #endif
  }

  // MARK: Devices

  /// The devices that are known now: paired, connected, or heard in a search within the last half minute. In the order of
  /// their addresses.
  package func devices() async throws(BluetoothError) -> [FoundMeter] {
    try await run(within: Self.stuck) { [self] session throws(BluetoothError) in
      // Takes what has changed since the last call.
      do throws(BusFailure) { _ = try session.wait(within: .zero) { nil as Bool? } } catch {
        throw error.error("the list of devices")
      }
      guard session.isAlive else { throw .noDaemon }
      return found(in: session.tree)
    }
  }

  private func found(in tree: ObjectTree) -> [FoundMeter] {
    tree.paths(with: BlueZ.device, below: path).compactMap { FoundMeter(at: $0, in: tree) }
  }

  /// Searches until `isEnough` is satisfied with the devices known, or the time is up. Returns all that are known then, or
  /// after `further` has passed, too: who takes the only meter that is near has to listen for others.
  package func search(
    within duration: Duration, further: Duration = .zero,
    until isEnough: @escaping @Sendable ([FoundMeter]) -> Bool = { _ in false }
  ) async throws(BluetoothError) -> [FoundMeter] {
    try await run(within: duration + further + Self.stuck) { [self] session throws(BluetoothError) in
      try checkPower(session)
      return try discovering(session) { () throws(BusFailure) in
        var last: ObjectTree?
        let isFound: Bool? = try session.wait(within: duration) { () throws(BusFailure) in
          guard session.isAlive else { throw .system(.noDaemon) }
          guard session.tree != last else { return nil }
          last = session.tree
          return isEnough(found(in: session.tree)) ? true : nil
        }
        if isFound != nil {
          _ = try session.wait(within: further) { () throws(BusFailure) -> Bool? in session.isAlive ? nil : false }
        }
        return found(in: session.tree)
      }
    }
  }

  /// Runs `work` during a search.
  func discovering<Value>(
    _ session: BlueZSession, _ work: () throws(BusFailure) -> Value
  ) throws(BluetoothError) -> Value {
    do throws(BusFailure) {
      _ = try session.call(.setDiscoveryFilter(path))
      _ = try session.call(.startDiscovery(path))
    } catch {
      // The call may have succeeded although its answer is late.
      if case .error = error {} else { stopDiscovery(session) }
      throw adapterError(error, "the search for devices")
    }
    defer { stopDiscovery(session) }
    do throws(BusFailure) { return try work() } catch { throw error.error("the search for devices") }
  }

  private func stopDiscovery(_ session: BlueZSession) {
    session.interruption = nil
    _ = try? session.call(.stopDiscovery(path))
  }

  func checkPower(_ session: BlueZSession) throws(BluetoothError) {
    guard session.isAlive else { throw .noDaemon }
    guard let adapter = session.tree.properties(BlueZ.adapter, at: path) else { throw .noAdapter }
    guard adapter["Powered"]?.boolean ?? false else { throw adapterOff }
  }

  private var adapterOff: BluetoothError { .adapterOff(name: name, BluetoothReport.radioBlock(root: "")) }

  private func adapterError(_ failure: BusFailure, _ what: String) -> BluetoothError {
    switch failure.kind {
    case "NotReady": adapterOff
    case "InProgress": .adapterBusy(name: name)
    default: failure.error(what)
    }
  }

  // MARK: Pairing and connecting

  /// Pairs a meter if it is not paired, and connects to it. The caller ends the link by `disconnect`. `passkey` is asked
  /// when the meter wants digits; nil if no user can be asked.
  ///
  /// Some meters know no pairing and refuse it as those do that want digits. So a meter that ends the pairing is connected
  /// all the same, and `BlueZMeterLink.unpaired` has the error.
  package func connect(
    _ meter: FoundMeter, passkey: PasskeySource? = nil
  ) async throws(BluetoothError) -> BlueZMeterLink {
    try await withAgent(for: meter, passkey) { [self] session, agent throws(BluetoothError) in
      let wasPaired = session.isTrue("Paired", of: meter.path)
      let unpaired = wasPaired ? nil : try refusal(toPair: meter, agent, session)
      do throws(BluetoothError) { try establish(meter, wasPaired: wasPaired, session) } catch {
        switch (unpaired, error) {
        case (let unpaired?, .linkLost), (let unpaired?, .outOfReach): throw unpaired
        default: throw error
        }
      }
      let paths = characteristics(of: meter.path, in: session.tree)
      return BlueZMeterLink(
        identity: meter.identity, device: meter.path, paths: paths, adapter: self, unpaired: unpaired)
    }
  }

  /// Pairs a meter, and ends the connection that this needs. A meter that is paired stays so, and is connected to see
  /// whether it still knows the pairing.
  package func pair(_ meter: FoundMeter, passkey: PasskeySource?) async throws(BluetoothError) {
    try await withAgent(for: meter, passkey) { [self] session, agent throws(BluetoothError) in
      // Many meters end the link as soon as they are paired, so nothing more is asked of a new pairing.
      guard session.isTrue("Paired", of: meter.path) else { return try pair(meter, agent, session) }
      try establish(meter, wasPaired: true, session)
    }
    await release(meter.path)
  }

  /// Runs an operation during which bluetoothd can ask the user. The device and the adapter are left as they were if it
  /// fails.
  private func withAgent<Value: Sendable>(
    for meter: FoundMeter, _ passkey: PasskeySource?,
    _ work: @escaping @Sendable (BlueZSession, PairingAgent) throws(BluetoothError) -> Value
  ) async throws(BluetoothError) -> Value {
    try await run(within: timeouts.whole) { [self] session throws(BluetoothError) in
      try checkPower(session)
      let agent = PairingAgent(device: meter.path, meter: meter.identity, source: passkey)
      do throws(BusFailure) { try session.register(agent) } catch {
        throw adapterError(error, "the registration of a pairing agent")
      }
      do throws(BluetoothError) { return try work(session, agent) } catch {
        release(meter.path, session)
        throw error
      }
    }
  }

  /// Removes the pairing from this computer. The meter keeps its side until it is removed there.
  package func forget(_ meter: FoundMeter) async throws(BluetoothError) {
    try await run(within: Self.stuck) { [self] session throws(BluetoothError) in
      do throws(BusFailure) { _ = try session.call(.removeDevice(meter.path, from: path)) } catch {
        throw meterError(error, meter, "removing the pairing")
      }
    }
  }

  /// Pairs a meter; returns the error of one that ended the pairing without a question, and may be read without.
  private func refusal(
    toPair meter: FoundMeter, _ agent: PairingAgent, _ session: BlueZSession
  ) throws(BluetoothError) -> BluetoothError? {
    do throws(BluetoothError) {
      try pair(meter, agent, session)
      return nil
    } catch {
      switch error {
      case .passkeyNeeded where !agent.wasAsked, .pairingRefused where !agent.wasAsked: return error
      default: throw error
      }
    }
  }

  private func pair(_ meter: FoundMeter, _ agent: PairingAgent, _ session: BlueZSession) throws(BluetoothError) {
    do throws(BusFailure) { _ = try session.call(.pair(meter.path), within: timeouts.pair) } catch {
      switch (error, error.kind) {
      case (_, "AlreadyExists"): break
      case (.error, _) where session.isTrue("Paired", of: meter.path): break
      case (.error, _): throw pairingError(error, meter, agent)
      default:
        let interruption = session.interruption
        session.interruption = nil
        _ = try? session.call(.cancelPairing(meter.path))
        session.interruption = interruption
        if case .overdue = error { throw .pairingTimedOut(meter: meter.title) }
        throw error.error("pairing with \(meter.title)")
      }
    }
    // A meter that is not trusted works all the same, as long as this computer connects.
    _ = try? session.call(.trust(meter.path))
  }

  private func pairingError(_ failure: BusFailure, _ meter: FoundMeter, _ agent: PairingAgent) -> BluetoothError {
    switch failure.kind {
    case _ where agent.isUnconfirmed: .passkeyNotConfirmed(meter: meter.title)
    // If no user can be asked, a meter that wants digits refuses; bluetoothd does not say that it was for them.
    case "AuthenticationFailed" where !agent.canAsk: .passkeyNeeded(meter: meter.title)
    case "AuthenticationFailed" where agent.wasAsked: .passkeyRefused(meter: meter.title)
    case "AuthenticationFailed": .pairingRefused(meter: meter.title, reason: "it ended the pairing")
    case "AuthenticationRejected": .pairingRefused(meter: meter.title, reason: "it rejects this machine")
    case "AuthenticationCanceled": .pairingCancelled(meter: meter.title)
    case "AuthenticationTimeout": .pairingTimedOut(meter: meter.title)
    default: meterError(failure, meter, "pairing with \(meter.title)")
    }
  }

  private func meterError(_ failure: BusFailure, _ meter: FoundMeter, _ what: String) -> BluetoothError {
    switch failure.kind {
    case "UnknownObject", "UnknownMethod", "DoesNotExist": .notFound(meter: meter.title)
    case "ConnectionAttemptFailed", "NotAvailable": .outOfReach(meter: meter.title, reason: failure.reason)
    default: adapterError(failure, what)
    }
  }

  /// Connects and waits for the services. A link that breaks before is tried again, because weak links often do once. If
  /// every link to a paired meter breaks, one side has forgotten the pairing: bluetoothd gives such a link up with the same
  /// words as one that was never made (`le-connection-abort-by-local`, `br-connection-canceled`).
  func establish(_ meter: FoundMeter, wasPaired: Bool, _ session: BlueZSession) throws(BluetoothError) {
    // The reason why an attempt made no link at all.
    var reason: String?
    for _ in 0..<Self.attempts {
      session.watchLink(to: meter.path)
      do throws(BusFailure) { _ = try session.call(.connect(meter.path), within: timeouts.connect) } catch {
        switch (error, error.kind) {
        case (_, "AlreadyConnected"): break
        case (_, "AuthenticationFailed") where wasPaired: throw .pairingForgotten(meter: meter.title)
        case (.error, _) where session.hadLink(to: meter.path): continue
        case (.error, "Failed"):
          reason = error.reason
          continue
        case (.overdue, _): throw .outOfReach(meter: meter.title, reason: error.reason)
        default: throw meterError(error, meter, "connecting to \(meter.title)")
        }
      }
      let isResolved: Bool?
      do throws(BusFailure) { isResolved = try waitForServices(of: meter.path, session) } catch {
        throw error.error("connecting to \(meter.title)")
      }
      switch isResolved {
      case true?: return
      case false?: continue
      case nil: throw .outOfReach(meter: meter.title, reason: "it did not list its services in time")
      }
    }
    if let reason { throw .outOfReach(meter: meter.title, reason: reason) }
    throw wasPaired ? .pairingForgotten(meter: meter.title) : .linkLost(meter: meter.title)
  }

  private static let attempts = 3

  /// True once the services are known, false if the link ends before, nil if the time is up.
  private func waitForServices(of device: String, _ session: BlueZSession) throws(BusFailure) -> Bool? {
    try session.wait(within: timeouts.resolve) { () throws(BusFailure) -> Bool? in
      guard session.isAlive else { throw .system(.noDaemon) }
      guard session.isConnected(device) else { return session.hadLink(to: device) ? false : nil }
      return session.isTrue("ServicesResolved", of: device) ? true : nil
    }
  }

  func characteristics(of device: String, in tree: ObjectTree) -> [MeterCharacteristic: String] {
    var paths: [MeterCharacteristic: String] = [:]
    for service in tree.paths(with: BlueZ.service, below: device) {
      let uuid = tree.properties(BlueZ.service, at: service)?["UUID"]?.text?.lowercased()
      for path in tree.paths(with: BlueZ.characteristic, below: service) {
        let number = tree.properties(BlueZ.characteristic, at: path)?["UUID"]?.text?.lowercased()
        for known in MeterCharacteristic.allCases
        where known.service.uuid == uuid && known.uuid == number && paths[known] == nil {
          paths[known] = path
        }
      }
    }
    return paths
  }

  /// Leaves a device and the adapter as they were.
  func release(_ device: String, _ session: BlueZSession) {
    session.interruption = nil
    // Also ends an attempt to connect.
    _ = try? session.call(.disconnect(device))
    session.unregisterAgent()
    session.forgetValues()
  }

  /// Ends a link in an orderly manner, also in a cancelled task.
  func release(_ device: String) async {
    await thread.finish(within: Self.stuck) { [self] in release(device, session) }
  }

  /// Waits for what is under way and ends the connection to bluetoothd, also in a cancelled task.
  package func close() async {
    await thread.finish(within: Self.stuck) { [session] in session.end() }
  }

  /// Runs an operation on the thread. The operation keeps its own deadlines; `limit` is for a library that does not return.
  func run<Value: Sendable>(
    within limit: Duration, _ work: @escaping @Sendable (BlueZSession) throws(BluetoothError) -> Value
  ) async throws(BluetoothError) -> Value {
    let interruption = Interruption()
    return try await thread.perform(within: limit, orThrow: Self.silent(limit)) { [alarm = session.alarm] in
      interruption.set()
      alarm.raise()
    } _: { [session] () throws(BluetoothError) in
      session.interruption = interruption
      return try work(session)
    }
  }
}

/// Deadlines of the calls that wait for a meter or a user.
struct BluetoothTimeouts: Sendable {
  /// bluetoothd gives up an attempt after about 20 to 40 s.
  var connect = Duration.seconds(40)
  /// The user types digits meanwhile; bluetoothd waits 60 s for them.
  var pair = Duration.seconds(90)
  /// Time from the link to the list of services.
  var resolve = Duration.seconds(30)

  /// More than all of them together with their repetitions.
  var whole: Duration { pair + (connect + resolve) * 3 + BluetoothAdapter.stuck }
}
