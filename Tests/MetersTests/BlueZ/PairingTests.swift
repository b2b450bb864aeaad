// SPDX-License-Identifier: Apache-2.0
import Meters
import Testing

@testable import Meters

@Suite("The questions that bluetoothd asks while it pairs")
struct PairingTests {
  /// A pairing during which one question is asked; it succeeds when the question is answered without an error.
  func paired(_ question: BusNotice, passkey: PasskeySource?) async throws -> (ScriptedBus, BluetoothError?) {
    let bus = ScriptedBus(paired: false) { call, bus in
      guard call.member == "Pair" else { return nil }
      let number = UInt64(bus.sent.count)
      bus.waitsForUser = true
      bus.afterAnswer = { answer in
        switch answer {
        case .error(let name) where name == "org.bluez.Error.Canceled":
          bus.add(.failure(to: number, name: "org.bluez.Error.AuthenticationCanceled", text: ""))
        case .error: bus.add(.failure(to: number, name: "org.bluez.Error.AuthenticationFailed", text: ""))
        default:
          bus.add(.signal(ScriptedBus.changed(["Paired": .boolean(true)])))
          bus.add(.reply(to: number, []))
        }
      }
      return [.call(question)]
    }
    let adapter = try await bus.adapter()
    do throws(BluetoothError) {
      _ = try await adapter.connect(bus.meter, passkey: passkey)
      return (bus, nil)
    } catch { return (bus, error) }
  }

  private static let meter = "meter+0001"

  @Test(
    "for digits are answered by the user while the pairing goes on, and end it if the user gives up",
    arguments: [
      ("RequestPasskey", "004711", .passkey(4711), nil),
      // A PIN code has the digits as they were typed.
      ("RequestPinCode", "0000", .pinCode("0000"), nil),
      ("RequestPasskey", nil, .error(name: "org.bluez.Error.Canceled"), .pairingCancelled(meter: meter)),
    ] as [(String, String?, BusAnswer, BluetoothError?)])
  func digits(_ question: String, _ digits: String?, _ answer: BusAnswer, _ expected: BluetoothError?) async throws {
    let (bus, error) = try await paired(ScriptedBus.question(question)) { asked in
      #expect(asked.meter == MeterIdentity(address: "C0:FF:EE:00:00:01", name: Self.meter) && asked.shown == nil)
      return digits.flatMap { Passkey($0) }
    }
    #expect(error == expected && Array(bus.answers.values) == [answer])
    #expect(bus.sent.first { $0.member == "RegisterAgent" }?.arguments.last == .text("KeyboardDisplay"))
  }

  @Test(
    "are refused if there is nobody to ask; whether the meter may pair is answered with yes",
    arguments: [
      ("RequestPasskey", BluetoothError.passkeyNeeded(meter: meter)), ("RequestAuthorization", nil),
      ("AuthorizeService", nil), ("DisplayPasskey", nil),
    ])
  func unasked(_ question: String, _ expected: BluetoothError?) async throws {
    let (bus, error) = try await paired(ScriptedBus.question(question), passkey: nil)
    #expect(error == expected)
    #expect(expected != nil || Array(bus.answers.values) == [.done])
    #expect(bus.sent.first { $0.member == "RegisterAgent" }?.arguments.last == .text("NoInputNoOutput"))
  }

  @Test("for a comparison show all six digits, and are answered with yes only if the user says so")
  func comparison() async throws {
    func question(_ more: [BusValue]) -> BusNotice {
      ScriptedBus.question("RequestConfirmation", ScriptedBus.device, more)
    }
    let (bus, error) = try await paired(question([.number(4711)])) { asked in
      #expect(asked.shown?.digits == "004711")
      return asked.shown
    }
    #expect(error == nil && Array(bus.answers.values) == [.done])
    // No; digits that were given beforehand, which cannot be these; nobody to ask.
    for user: PasskeySource? in [{ _ in nil }, { _ in Passkey("1") }, nil] {
      let (bus, error) = try await paired(question([.number(4711)]), passkey: user)
      #expect(error == .passkeyNotConfirmed(meter: Self.meter))
      #expect(Array(bus.answers.values) == [.error(name: "org.bluez.Error.Rejected")])
    }
    // Digits that are missing or cannot be shown.
    for more: [BusValue] in [[], [.number(1_000_000)]] {
      let (bus, _) = try await paired(question(more)) { $0.shown }
      #expect(Array(bus.answers.values) == [.error(name: "org.bluez.Error.Rejected")])
    }
  }

  @Test(
    "are refused for another device, from another program, and at another object",
    arguments: [
      (
        ScriptedBus.question("RequestAuthorization", "/org/bluez/hci0/dev_00_00_00_00_00_00"),
        "org.bluez.Error.Rejected"
      ),
      (ScriptedBus.question("RequestAuthorization", sender: ":1.99"), "org.freedesktop.DBus.Error.UnknownMethod"),
      (ScriptedBus.question("Format"), "org.freedesktop.DBus.Error.UnknownMethod"),
      (
        BusNotice(
          sender: ScriptedBus.daemon, path: "/other", interface: BlueZ.agent, member: "RequestAuthorization",
          body: [.text(ScriptedBus.device)]), "org.freedesktop.DBus.Error.UnknownMethod"
      ),
    ])
  func strangers(_ question: BusNotice, _ name: String) async throws {
    let (bus, _) = try await paired(question) { _ in Passkey("1") }
    #expect(Array(bus.answers.values) == [.error(name: name)])
  }

  @Test("take one to six digits, and nothing else")
  func passkeys() {
    for (text, number) in [
      ("000042", 42), ("12 34 56", 123456), ("7", 7), ("", nil), ("1234567", nil), ("12a", nil), ("+1", nil),
      ("１２", nil),
    ] as [(String, UInt32?)] {
      #expect(Passkey(text)?.number == number)
    }
  }
}
