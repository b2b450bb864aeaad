// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BluetoothTransport
import CGMModel
import Dispatch
import HostSystem
import LibreDocuments
import LibreKit
import MeterProtocols

/// The options by which commands choose a meter and pair it.
struct MeterOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Part of its name or its address, or sim:NAME for a simulated one (\(SimulatedMeter.names.map(\.name).joined(separator: ", "))). Default: the only paired meter, else the only one that is near.",
      valueName: "meter"))
  var meter: String?

  @Option(
    help: ArgumentHelp(
      "The digits that the meter shows or that stand on its label, for scripts. Default: asked when the meter wants them.",
      valueName: "digits"))
  var passkey: String?

  @Option(help: ArgumentHelp("Time to wait for the meter.", valueName: "seconds"))
  var timeout: Double = 60

  func validate() throws {
    if let passkey, Passkey(passkey) == nil {
      throw ValidationError("invalid value \(passkey) for --passkey. Try: the one to six digits that the meter shows")
    }
    guard timeout > 0, timeout <= 86_400 else {
      throw ValidationError("invalid value \(timeout) for --timeout. Try: a number of seconds up to 86400")
    }
    if let name = simulated, !SimulatedMeter.names.contains(where: { $0.name == name }) {
      let names = SimulatedMeter.names.map { "sim:\($0.name)" }.joined(separator: ", ")
      throw ValidationError("unknown simulated meter sim:\(name). Try: \(names)")
    }
  }

  /// The name of a simulated meter; nil for a real one.
  var simulated: String? { meter.flatMap { $0.hasPrefix("sim:") ? String($0.dropFirst(4)) : nil } }

  /// The answer to a meter that asks for digits; nil if there is no one to ask.
  @MainActor func passkeySource(_ session: Session) -> PasskeySource? {
    if let known = passkey.flatMap(Passkey.init) { return { _ in known } }
    guard session.isInteractive else { return nil }
    return { meter in
      let name = meter.name ?? meter.address
      // A wait for the terminal must not block a thread of the pool.
      return await withCheckedContinuation { (answered: CheckedContinuation<Passkey?, Never>) in
        DispatchQueue.global().async {
          let typed: String?? = try? Questions.answer(to: "Digits on the display of \(name): ")
          answered.resume(returning: typed.flatMap { text in text.flatMap { Passkey($0) } })
        }
      }
    }
  }
}
