// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem

/// A notification on the user's desktop (Desktop Notifications Specification 1.2), over the message bus of their session.
package struct DesktopNotification: Sendable {
  package struct Failure: Error, Hashable, Sendable { package let reason: String }

  package var title: String
  package var text: String
  /// 0 low, 1 normal, 2 critical: stays until the user closes it.
  package var urgency: UInt8
  /// The number of the notification that it replaces; 0 for none.
  package var replaced: UInt32

  package init(title: String, text: String, urgency: UInt8, replaced: UInt32) {
    (self.title, self.urgency, self.replaced) = (title, urgency, replaced)
    // Some desktops take the text for markup, others show its escapes: names from elsewhere have none of its characters.
    self.text = text.replacing("<", with: "‹").replacing("&", with: "+")
  }

  /// Shows it, waits for the answer, and returns its number.
  package func show(environment: [String: String]) throws(Failure) -> UInt32 {
    #if Bluetooth
      do throws(BluetoothError) {
        let bus = try SystemBus(address: Self.address(environment))
        defer { bus.close() }
        return try show(over: bus)
      } catch {
        throw Failure(reason: Self.words(error))
      }
    #else
      throw Failure(reason: Self.words(.notInThisBuild))
    #endif
  }

  func show(over bus: any BusConnection) throws(BluetoothError) -> UInt32 {
    // A desktop answers at once.
    let (call, seconds) = (try bus.send(.notify(self)), 5)
    let end = bus.now + .seconds(seconds)
    while bus.now < end {
      while let message = try bus.next() {
        switch message {
        case .reply(call, let values): return values.first?.number.flatMap { UInt32(exactly: $0) } ?? 0
        case .failure(call, _, let text): throw .failed(what: "the notification", reason: text)
        case .reply, .failure, .signal, .call: break
        }
      }
      try bus.wait(until: end)
    }
    throw .silent(what: "the desktop", seconds: seconds)
  }

  /// The bus that the session names, or the usual one of the user.
  static func address(_ environment: [String: String]) -> String {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    return "unix:path=\(UserDirectories.runtime(environment))/bus"
  }

  private static func words(_ error: BluetoothError) -> String {
    switch error {
    case .noBus(let reason), .busLost(let reason): "no desktop session can be reached: \(reason)"
    case .accessDenied: "the desktop session belongs to another user"
    case .failed(_, let reason): "no program shows notifications: \(reason)"
    default: error.message
    }
  }
}
