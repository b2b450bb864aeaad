// SPDX-License-Identifier: Apache-2.0
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
  private var question: (call: UInt64, task: Task<Void, Never>)?
  private var wantsText = false
  /// True once the meter wanted digits: then a failure is due to them.
  private(set) var wasAsked = false

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
    case "RequestPasskey", "RequestPinCode":
      wasAsked = true
      guard let source, question == nil else { return bus.answer(number, Self.rejected) }
      wantsText = call.member == "RequestPinCode"
      let alarm = bus.alarm
      let task = Task { [meter, given] in
        given.add(await source(meter), for: number)
        alarm.raise()
      }
      question = (number, task)
    case "RequestConfirmation", "RequestAuthorization", "AuthorizeService", "DisplayPasskey", "DisplayPinCode":
      bus.answer(number, .done)
    default: bus.answer(number, .error(name: "org.freedesktop.DBus.Error.UnknownMethod"))
    }
  }

  /// Answers with the digits that the user has given meanwhile.
  func deliver(_ bus: any BusConnection) {
    for (call, passkey) in given.take() where call == question?.call {
      question = nil
      let answer: BusAnswer? = passkey.map { wantsText ? .pinCode($0.digits) : .passkey($0.number) }
      bus.answer(call, answer ?? .error(name: "org.bluez.Error.Canceled"))
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
  let digits: String
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

/// Asks the user for the digits that a meter shows or that stand on its label. Nil if the user gives up.
///
/// It is called while bluetoothd waits, for at most a minute; its task is cancelled when the meter no longer waits.
package typealias PasskeySource = @Sendable (_ meter: MeterIdentity) async -> Passkey?
