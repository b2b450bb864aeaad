// SPDX-License-Identifier: Apache-2.0

/// A call to bluetoothd, to the desktop, or to the bus itself.
///
/// Only the functions of this file make one, and the only one that writes to a meter takes a `MeterRequest`: nothing else
/// can be written to a meter through this module.
struct BusCall: Hashable, Sendable {
  enum Argument: Hashable, Sendable {
    case text(String)
    case path(String)
    case bytes([UInt8])
    /// A dictionary of text and variants (`a{sv}`).
    case options([String: String])
    /// A variant with a Boolean.
    case boolean(Bool)
    case number(UInt32)
    case signedNumber(Int32)
    /// An empty array of texts.
    case noTexts
    /// A dictionary (`a{sv}`) with one variant of a byte.
    case hint(String, UInt8)
  }

  let destination: String
  let path: String
  let interface: String
  let member: String
  let arguments: [Argument]

  private init(
    _ member: String, of interface: String, at path: String, _ arguments: [Argument] = [],
    to destination: String = BlueZ.name
  ) {
    (self.destination, self.path, self.interface) = (destination, path, interface)
    (self.member, self.arguments) = (member, arguments)
  }

  private static func bus(_ member: String, _ argument: String) -> BusCall {
    BusCall(
      member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", [.text(argument)], to: "org.freedesktop.DBus")
  }

  /// Asks for the unique name of the program that owns a name.
  static func ownerOfName(_ name: String) -> BusCall { bus("GetNameOwner", name) }

  /// Asks for the signals that a rule matches.
  static func addMatch(_ rule: String) -> BusCall { bus("AddMatch", rule) }

  /// Asks the desktop to show a notification.
  static func notify(_ notification: DesktopNotification) -> BusCall {
    let name = "org.freedesktop.Notifications"
    // The last number leaves it to the desktop how long it is shown.
    return BusCall(
      "Notify", of: name, at: "/org/freedesktop/Notifications",
      [
        .text("libre"), .number(notification.replaced), .text(""), .text(notification.title), .text(notification.text),
        .noTexts, .hint("urgency", notification.urgency), .signedNumber(-1),
      ], to: name)
  }

  static let managedObjects = BusCall("GetManagedObjects", of: BlueZ.objectManager, at: "/")

  // MARK: The adapter and its agent

  /// Restricts discovery to Bluetooth LE. Which device is a meter is decided here: filters of several programs are joined.
  static func setDiscoveryFilter(_ adapter: String) -> BusCall {
    BusCall("SetDiscoveryFilter", of: BlueZ.adapter, at: adapter, [.options(["Transport": "le"])])
  }
  static func startDiscovery(_ adapter: String) -> BusCall { BusCall("StartDiscovery", of: BlueZ.adapter, at: adapter) }
  static func stopDiscovery(_ adapter: String) -> BusCall { BusCall("StopDiscovery", of: BlueZ.adapter, at: adapter) }
  /// Removes a device and its bond from this computer; the meter keeps its side.
  static func removeDevice(_ device: String, from adapter: String) -> BusCall {
    BusCall("RemoveDevice", of: BlueZ.adapter, at: adapter, [.path(device)])
  }
  static func registerAgent(_ path: String, capability: String) -> BusCall {
    BusCall("RegisterAgent", of: BlueZ.agentManager, at: BlueZ.root, [.path(path), .text(capability)])
  }
  static func unregisterAgent(_ path: String) -> BusCall {
    BusCall("UnregisterAgent", of: BlueZ.agentManager, at: BlueZ.root, [.path(path)])
  }

  // MARK: The device

  static func pair(_ device: String) -> BusCall { BusCall("Pair", of: BlueZ.device, at: device) }
  static func cancelPairing(_ device: String) -> BusCall { BusCall("CancelPairing", of: BlueZ.device, at: device) }
  static func connect(_ device: String) -> BusCall { BusCall("Connect", of: BlueZ.device, at: device) }
  static func disconnect(_ device: String) -> BusCall { BusCall("Disconnect", of: BlueZ.device, at: device) }
  /// Lets a bonded meter connect by itself.
  static func trust(_ device: String) -> BusCall {
    BusCall("Set", of: BlueZ.properties, at: device, [.text(BlueZ.device), .text("Trusted"), .boolean(true)])
  }

  static func perform(_ request: MeterRequest, at characteristic: String) -> BusCall {
    switch request {
    case .read: BusCall("ReadValue", of: BlueZ.characteristic, at: characteristic, [.options([:])])
    case .subscribe: BusCall("StartNotify", of: BlueZ.characteristic, at: characteristic)
    case .records, .oneTouch, .bridge:
      BusCall(
        "WriteValue", of: BlueZ.characteristic, at: characteristic,
        [.bytes(request.writtenBytes ?? []), .options(["type": "request"])])
    }
  }
}

/// Names of BlueZ on the bus (BlueZ 5.66, `doc/*-api.txt`).
enum BlueZ {
  static let name = "org.bluez"
  static let root = "/org/bluez"
  static let adapter = "org.bluez.Adapter1"
  static let agentManager = "org.bluez.AgentManager1"
  static let agent = "org.bluez.Agent1"
  static let device = "org.bluez.Device1"
  static let service = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let properties = "org.freedesktop.DBus.Properties"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
}
