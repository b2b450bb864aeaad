// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import Dispatch
import LibreDocuments
package import Meters
import SensorHistory

package struct MeterOptions: ParsableArguments {
  package init() {}

  @Argument(
    help: .value(
      "meter",
      "Part of its name or its address, or sim:NAME for a simulated one (\(SimulatedMeter.names.map(\.name).joined(separator: ", "))). Default: a paired meter, else the only one that is near."
    ))
  package var meter: String?

  @Option(
    help: .value(
      "digits",
      "The digits that the meter shows or that stand on its label, for scripts. Default: asked when the meter wants them. Digits that both sides show can be compared at a terminal only."
    ))
  package var passkey: String?

  @Option(help: .value("seconds", "Time to wait for the meter."))
  package var timeout: Double = 60

  package func validate() throws {
    try check(passkey, of: "--passkey", allowed: "the one to six digits that the meter shows") { Passkey($0) != nil }
    try check(seconds: timeout, of: "--timeout")
    if let name = simulated, !SimulatedMeter.names.contains(where: { $0.name == name }) {
      let names = SimulatedMeter.names.map { "sim:\($0.name)" }.joined(separator: ", ")
      throw ValidationError("unknown simulated meter sim:\(name). Try: \(names)")
    }
  }

  package var simulated: String? { meter.flatMap { $0.hasPrefix("sim:") ? String($0.dropFirst(4)) : nil } }

  /// The answer to a meter that asks for digits; nil if there is no one to ask.
  @MainActor package func passkeySource(_ session: Session) -> PasskeySource? {
    let known = passkey.flatMap { Passkey($0) }
    guard session.isInteractive else {
      guard let known else { return nil }
      return { _ in known }
    }
    return { asked in
      if let known, asked.shown == nil { return known }
      let name = asked.meter.name ?? asked.meter.address
      let question =
        asked.shown.map { "Does \(name) show \($0.digits), too? [y/N] " } ?? "Digits on the display of \(name): "
      // A wait for the terminal must not block a thread of the pool.
      return await withCheckedContinuation { (answered: CheckedContinuation<Passkey?, Never>) in
        DispatchQueue.global().async {
          let typed = (try? Questions.answer(to: question)) ?? ""
          let isYes = ["y", "yes"].contains(typed.lowercased())
          answered.resume(returning: asked.shown == nil ? Passkey(typed) : isYes ? asked.shown : nil)
        }
      }
    }
  }
}

/// A meter that a command asked for was not found, or several were.
package enum MeterChoiceError: RemediedError {
  /// Neither a paired meter nor one that is near.
  case nothingNear
  case several([String])
  case notSimulated(String)

  package var explanation: (code: String, message: String) {
    switch self {
    case .nothingNear: ("meter_not_found", "no meter is near")
    case .several(let names): ("several_meters", "several meters are possible: \(names.joined(separator: ", "))")
    case .notSimulated(let command): ("simulated_meter", "a simulated meter cannot be \(command)")
    }
  }

  package var exitStatus: Int32 { self == .nothingNear ? 69 : 64 }

  package var resolution: String {
    switch self {
    case .nothingNear:
      "switch the meter's Bluetooth on by a key or its menu (libre meters --supported says how), keep it within a few metres, and run the command again"
    case .several(let names): "name one of them: libre meter read '\(names.first ?? "")'"
    case .notSimulated: "libre meter read sim:meter"
    }
  }
}

@MainActor extension BluetoothAdapter {
  /// Does work with this computer's adapter, and closes it.
  package static func with<Value: Sendable>(
    _ work: @MainActor (BluetoothAdapter) async throws -> Value
  ) async throws -> Value {
    let adapter = try await open(environment: Session.environment)
    do {
      let value = try await work(adapter)
      await adapter.close()
      return value
    } catch {
      await adapter.close()
      throw error
    }
  }

  /// Waits for the meter with this name or address, or for any; if one of them is paired, for a paired one. Of meters that
  /// are not paired, one is taken only if no other is near: it may be a stranger's.
  ///
  /// - Parameters:
  ///   - isNew: without a name, a meter that is paired is taken only if no other is found.
  ///   - resting: addresses of meters that are left out; with this, one of several paired meters is taken.
  package func find(
    _ name: String?, within timeout: Duration, isNew: Bool = false, leaving resting: Set<String>? = nil
  ) async throws -> FoundMeter {
    let known = try await devices()
    let isNamed: @Sendable (FoundMeter) -> Bool = { meter in name.map { meter.goes(by: $0) } ?? meter.isMeter }
    let own = isNew && name == nil ? [] : known.filter { $0.isPaired && isNamed($0) }
    let addresses = Set(own.map(\.identity.address)).subtracting(resting ?? [])
    let isWanted: @Sendable (FoundMeter) -> Bool = { [isOwn = !own.isEmpty] meter in
      isNamed(meter) && meter.isNear && (isOwn ? addresses.contains(meter.identity.address) : !meter.isPaired)
    }
    var found = known
    if let resting, !resting.isEmpty, addresses.isEmpty {
      // Nothing else is waited for.
      try? await Task.sleep(for: timeout)
    } else if own.isEmpty {
      // An address names one meter, so the search does not listen for others.
      let further = name?.split(separator: ":").count == 6 ? .zero : min(timeout, Self.listening)
      found = try await search(within: timeout, further: further) { $0.contains(where: isWanted) }
    } else if !known.contains(where: isWanted) {
      found = try await search(within: timeout) { $0.contains(where: isWanted) }
    }
    let candidates = found.filter(isWanted)
    if candidates.count > 1, own.isEmpty || resting == nil { throw Self.choice(of: candidates) }
    if let meter = candidates.first ?? (isNew ? found.first { isNamed($0) && $0.isNear } : nil) { return meter }
    if let title = own.count == 1 ? own[0].title : name { throw BluetoothError.notFound(meter: title) }
    throw MeterChoiceError.nothingNear
  }

  /// Time for a second meter to be heard: one that is in the air advertises several times in it.
  private static let listening = Duration.seconds(5)

  /// The error for several meters, by names that tell them apart.
  private static func choice(of meters: [FoundMeter]) -> MeterChoiceError {
    let titles = meters.map(\.title)
    return .several(Set(titles).count == titles.count ? titles : meters.map(\.identity.address))
  }

  package func findPaired(_ name: String) async throws -> FoundMeter {
    let candidates = try await devices().filter { $0.isPaired && $0.goes(by: name) }
    if candidates.count > 1 { throw Self.choice(of: candidates) }
    guard let meter = candidates.first else { throw BluetoothError.notFound(meter: name) }
    return meter
  }
}

extension FoundMeter {
  package func goes(by text: String) -> Bool { text.means(meterAt: identity.address, named: [identity.name]) }
}

extension StoredMeter {
  // The source has the serial number.
  package func goes(by text: String) -> Bool { text.means(meterAt: facts.address, named: [facts.source, facts.name]) }
}

extension String {
  fileprivate func means(meterAt address: String, named names: [String?]) -> Bool {
    address == uppercased() || names.contains { $0?.lowercased().contains(lowercased()) ?? false }
  }
}
