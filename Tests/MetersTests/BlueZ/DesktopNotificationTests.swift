// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Meters

struct DesktopNotificationTests {
  private let notification = DesktopNotification(title: "Glucose is low", text: "62 mg/dL", urgency: 2, replaced: 7)

  @Test("asks the desktop once, and returns the number of its answer")
  func shown() throws {
    let bus = ScriptedBus(on: "Notify", [.reply([.number(8)])])
    #expect(try notification.show(over: bus) == 8)
    #expect(bus.sent == [.notify(notification)])
    let call = try #require(bus.sent.first)
    #expect(call.destination == "org.freedesktop.Notifications" && call.path == "/org/freedesktop/Notifications")
    #expect(
      call.arguments == [
        .text("libre"), .number(7), .text(""), .text("Glucose is low"), .text("62 mg/dL"), .noTexts,
        .hint("urgency", 2), .signedNumber(-1),
      ])
  }

  @Test("fails with the desktop's words, or after five seconds without an answer")
  func refused() {
    let refusing = ScriptedBus(on: "Notify", [.failure("org.freedesktop.DBus.Error.ServiceUnknown", "no such name")])
    #expect(throws: BluetoothError.failed(what: "the notification", reason: "no such name")) {
      try notification.show(over: refusing)
    }
    let silent = ScriptedBus(on: "Notify", [.nothing])
    #expect(throws: BluetoothError.silent(what: "the desktop", seconds: 5)) { try notification.show(over: silent) }
  }

  @Test("shows no markup of a text, which some desktops would obey")
  func markup() {
    let notification = DesktopNotification(title: "t", text: "<a href='x'>Bubble</a> & more", urgency: 0, replaced: 0)
    #expect(!notification.text.contains("<") && !notification.text.contains("&"))
  }

  @Test("finds the session's bus by its variable, or in the user's directory")
  func address() {
    #expect(DesktopNotification.address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]) == "unix:path=/x")
    #expect(DesktopNotification.address(["XDG_RUNTIME_DIR": "/run/user/9"]) == "unix:path=/run/user/9/bus")
    for environment in [[:], ["XDG_RUNTIME_DIR": ""]] {
      #expect(DesktopNotification.address(environment) == "unix:path=/run/user/\(geteuid())/bus")
    }
  }
}
