// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import CGMModel
import Dispatch
import HostSystem
import LibreDocuments
import LibreKit
package import Meters
import SampleStore
import SensorHistory

package struct MeterOptions: ParsableArguments {
  package init() {}

  @Argument(
    help: .value(
      "meter",
      "Part of its name or its address, or sim:NAME for a simulated one (\(SimulatedMeter.names.map(\.name).joined(separator: ", "))). Default: the only paired meter, else the only one that is near."
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

  /// Waits for the meter with this name or address, else the only paired one, else the only one that is near.
  package func find(_ name: String?, within timeout: Duration) async throws -> FoundMeter {
    let known = try await devices()
    let isWanted = try Self.wanted(name, known)
    let near: @Sendable ([FoundMeter]) -> Bool = { $0.contains { isWanted($0) && $0.isNear } }
    let found = near(known) ? known : try await search(within: timeout, until: near)
    let candidates = found.filter { isWanted($0) && $0.isNear }
    if candidates.count > 1 { throw MeterChoiceError.several(candidates.map(\.title)) }
    if let meter = candidates.first { return meter }
    // A paired meter may answer although its signal was not heard.
    if let meter = known.first(where: { isWanted($0) && $0.isPaired }) { return meter }
    throw name.map { BluetoothError.notFound(meter: $0) } ?? MeterChoiceError.nothingNear
  }

  package func findPaired(_ name: String) async throws -> FoundMeter {
    let candidates = try await devices().filter { $0.isPaired && $0.goes(by: name) }
    if candidates.count > 1 { throw MeterChoiceError.several(candidates.map(\.title)) }
    guard let meter = candidates.first else { throw BluetoothError.notFound(meter: name) }
    return meter
  }

  private static func wanted(_ name: String?, _ known: [FoundMeter]) throws -> @Sendable (FoundMeter) -> Bool {
    if let name { return { $0.goes(by: name) } }
    let paired = known.filter { $0.isPaired && $0.isMeter }
    if paired.isEmpty { return \.isMeter }
    let candidates = paired.count > 1 ? paired.filter(\.isNear) : paired
    guard candidates.count == 1 else { throw MeterChoiceError.several(paired.map(\.title)) }
    return { [address = candidates[0].identity.address] in $0.identity.address == address }
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
