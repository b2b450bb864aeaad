// SPDX-License-Identifier: Apache-2.0
import HostSystem
import Synchronization

/// Answers what bluetoothd asks while it pairs: the digits, and whether the device may pair.
///
/// It says yes only for the device that the user chose. An agent is needed even for a meter that asks nothing.
final class PairingAgent {
  static let path = "/libre/agent"

  private let device: String
  private let meter: MeterIdentity
  private let source: PasskeySource?
  private let given = GivenPasskeys()
  private var question: (call: UInt64, kind: Kind, task: Task<Void, Never>)?
  /// True once the meter wanted digits: then a failure is due to them.
  private(set) var wasAsked = false
  /// True once digits that both sides show were not confirmed.
  private(set) var isUnconfirmed = false

  private enum Kind {
    case number
    case text
    /// Both sides show these digits, and the user says whether they are the same.
    case comparison(Passkey)
  }

  init(device: String, meter: MeterIdentity, source: PasskeySource?) {
    self.device = device
    self.meter = meter
    self.source = source
  }

  var canAsk: Bool { source != nil }

  /// Input and output abilities of this computer, which bluetoothd reports to the meter.
  var capability: String { source == nil ? "NoInputNoOutput" : "KeyboardDisplay" }

  private static let rejected = BusAnswer.error(name: "org.bluez.Error.Rejected")

  func answer(_ number: UInt64, _ call: BusNotice, on bus: any BusConnection) {
    switch call.member {
    case "Release": return bus.answer(number, .done)
    case "Cancel":
      bus.answer(number, .done)
      return cancel()
    default: break
    }
    guard call.body.first?.text == device else { return bus.answer(number, Self.rejected) }
    switch call.member {
    case "RequestPasskey": ask(number, .number, on: bus)
    case "RequestPinCode": ask(number, .text, on: bus)
    case "RequestConfirmation":
      guard let shown = call.body.dropFirst().first?.number.flatMap(Passkey.init(shown:)) else {
        return bus.answer(number, Self.rejected)
      }
      ask(number, .comparison(shown), on: bus)
    case "RequestAuthorization", "AuthorizeService", "DisplayPasskey", "DisplayPinCode": bus.answer(number, .done)
    default: bus.answer(number, .error(name: "org.freedesktop.DBus.Error.UnknownMethod"))
    }
  }

  private func ask(_ number: UInt64, _ kind: Kind, on bus: any BusConnection) {
    wasAsked = true
    let shown: Passkey? = if case .comparison(let digits) = kind { digits } else { nil }
    guard let source, question == nil else {
      isUnconfirmed = shown != nil
      return bus.answer(number, Self.rejected)
    }
    let task = Task { [given, alarm = bus.alarm, asked = PairingQuestion(meter: meter, shown: shown)] in
      given.add(await source(asked), for: number)
      alarm.raise()
    }
    question = (number, kind, task)
  }

  /// Answers with the digits that the user has given meanwhile.
  func deliver(_ bus: any BusConnection) {
    for (call, passkey) in given.take() {
      guard let asked = question, asked.call == call else { continue }
      question = nil
      switch (asked.kind, passkey) {
      case (.number, let passkey?): bus.answer(call, .passkey(passkey.number))
      case (.text, let passkey?): bus.answer(call, .pinCode(passkey.digits))
      case (.comparison(let shown), _):
        isUnconfirmed = passkey?.number != shown.number
        bus.answer(call, isUnconfirmed ? Self.rejected : .done)
      case (_, nil): bus.answer(call, .error(name: "org.bluez.Error.Canceled"))
      }
    }
  }

  /// Ends a question whose answer is no longer needed.
  func cancel() {
    question?.task.cancel()
    question = nil
  }
}

/// Digits that users gave, put there by other threads.
private final class GivenPasskeys: Sendable {
  private let state = Mutex<[(call: UInt64, passkey: Passkey?)]>([])

  func add(_ passkey: Passkey?, for call: UInt64) { state.withLock { $0.append((call, passkey)) } }

  func take() -> [(call: UInt64, passkey: Passkey?)] {
    state.withLock { state in
      defer { state = [] }
      return state
    }
  }
}

/// The digits that pair a meter, as the user typed them: one to six, leading zeros kept.
package struct Passkey: Hashable, Sendable {
  package let digits: String
  /// 0 to 999,999.
  let number: UInt32

  /// The digits in a text; spaces around them and inside are ignored. Nil for anything else.
  package init?(_ text: String) {
    let digits = text.filter { $0 != " " }
    guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt32(digits)
    else { return nil }
    self.digits = digits
    self.number = number
  }
}

extension Passkey {
  /// All six digits of a number that both sides show; nil if it has more.
  fileprivate init?(shown number: Int64) {
    guard (0...999_999).contains(number) else { return nil }
    let digits = String(number)
    self.init(String(repeating: "0", count: 6 - digits.utf8.count) + digits)
  }
}

/// A question to the user while a meter pairs.
package struct PairingQuestion: Hashable, Sendable {
  package let meter: MeterIdentity
  /// Six digits for the user to compare with those that the meter shows; nil if the meter's digits are to be typed.
  package let shown: Passkey?
}

/// Asks the user for the digits that a meter shows or that stand on its label; nil if the user gives up. Digits to be
/// compared are returned if the meter shows the same, and nil is returned if it does not.
///
/// It is called while bluetoothd waits, for at most a minute; its task is cancelled when the meter no longer waits.
package typealias PasskeySource = @Sendable (PairingQuestion) async -> Passkey?
