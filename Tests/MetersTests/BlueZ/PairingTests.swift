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

  @Test("for digits are answered by the user while the pairing goes on")
  func digits() async throws {
    let (bus, error) = try await paired(ScriptedBus.question("RequestPasskey")) { asked in
      #expect(asked.meter == MeterIdentity(address: "C0:FF:EE:00:00:01", name: "meter+0001"))
      #expect(asked.shown == nil)
      return Passkey("004711")
    }
    #expect(error == nil)
    #expect(Array(bus.answers.values) == [.passkey(4711)])
    #expect(bus.sent.first { $0.member == "RegisterAgent" }?.arguments.last == .text("KeyboardDisplay"))
  }

  @Test("for a PIN code are answered with the digits as they were typed")
  func pinCode() async throws {
    let (bus, _) = try await paired(ScriptedBus.question("RequestPinCode")) { _ in Passkey("0000") }
    #expect(Array(bus.answers.values) == [.pinCode("0000")])
  }

  @Test("end the pairing if the user gives up")
  func givesUp() async throws {
    let (bus, error) = try await paired(ScriptedBus.question("RequestPasskey")) { _ in nil }
    #expect(error == .pairingCancelled(meter: "meter+0001"))
    #expect(Array(bus.answers.values) == [.error(name: "org.bluez.Error.Canceled")])
  }

  @Test("are refused if there is nobody to ask")
  func nobody() async throws {
    let (bus, error) = try await paired(ScriptedBus.question("RequestPasskey"), passkey: nil)
    #expect(error == .passkeyNeeded(meter: "meter+0001"))
    #expect(bus.sent.first { $0.member == "RegisterAgent" }?.arguments.last == .text("NoInputNoOutput"))
  }

  @Test("for a comparison show all six digits, and are answered with yes only if the user says so")
  func comparison() async throws {
    let question = ScriptedBus.question("RequestConfirmation", ScriptedBus.device, [.number(4711)])
    let (bus, error) = try await paired(question) { asked in
      #expect(asked.shown?.digits == "004711")
      return asked.shown
    }
    #expect(error == nil)
    #expect(Array(bus.answers.values) == [.done])
    // No; digits that were given beforehand, which cannot be these; nobody to ask.
    for user: PasskeySource? in [{ _ in nil }, { _ in Passkey("1") }, nil] {
      let (bus, error) = try await paired(question, passkey: user)
      #expect(error == .passkeyNotConfirmed(meter: "meter+0001"))
      #expect(Array(bus.answers.values) == [.error(name: "org.bluez.Error.Rejected")])
    }
  }

  @Test("for a comparison are refused without digits that can be shown", arguments: [[], [BusValue.number(1_000_000)]])
  func nothingToCompare(_ more: [BusValue]) async throws {
    let question = ScriptedBus.question("RequestConfirmation", ScriptedBus.device, more)
    let (bus, _) = try await paired(question) { $0.shown }
    #expect(Array(bus.answers.values) == [.error(name: "org.bluez.Error.Rejected")])
  }

  @Test(
    "whether the meter may pair are answered with yes",
    arguments: ["RequestAuthorization", "AuthorizeService", "DisplayPasskey"])
  func consent(_ member: String) async throws {
    let (bus, error) = try await paired(ScriptedBus.question(member), passkey: nil)
    #expect(error == nil)
    #expect(Array(bus.answers.values) == [.done])
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

  @Test(
    "take one to six digits, and nothing else",
    arguments: [
      ("000042", 42), ("12 34 56", 123456), ("7", 7), ("", nil), ("1234567", nil), ("12a", nil), ("+1", nil),
      ("１２", nil),
    ] as [(String, UInt32?)])
  func passkeys(_ text: String, _ number: UInt32?) { #expect(Passkey(text)?.number == number) }
}
