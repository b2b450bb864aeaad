// SPDX-License-Identifier: Apache-2.0
import Meters
import Testing

@testable import Meters

@Suite("The objects of bluetoothd")
struct ObjectTreeTests {
  var tree: ObjectTree { ObjectTree(managed: [ScriptedBus.objects(paired: true)]) }

  @Test("follow its signals")
  func signals() {
    var tree = tree
    tree.apply(ScriptedBus.changed(["RSSI": .number(-40), "Connected": .boolean(true)]))
    let properties = tree.properties(BlueZ.device, at: ScriptedBus.device)
    #expect(properties?["RSSI"] == .number(-40))
    #expect(properties?["Name"] == .text("meter+0001"))
    tree.apply(
      signal("PropertiesChanged", BlueZ.properties, [.text(BlueZ.device), .dictionary([:]), .array([.text("RSSI")])]))
    #expect(FoundMeter(at: ScriptedBus.device, in: tree)?.signalStrength == nil)
    tree.apply(
      signal("InterfacesRemoved", BlueZ.objectManager, [.text(ScriptedBus.device), .array([.text(BlueZ.device)])]))
    #expect(tree.paths(with: BlueZ.device) == [])
    tree.apply(
      signal(
        "InterfacesAdded", BlueZ.objectManager,
        [.text(ScriptedBus.device), .dictionary([BlueZ.device: .dictionary(["Address": .text("aa")])])]))
    #expect(FoundMeter(at: ScriptedBus.device, in: tree)?.identity == MeterIdentity(address: "AA", name: nil))
  }

  @Test(
    "are not changed by a signal of another shape",
    arguments: [
      ("PropertiesChanged", BlueZ.properties, [.text(BlueZ.device)]),
      ("PropertiesChanged", BlueZ.properties, [.number(1), .number(2), .number(3)]),
      ("PropertiesChanged", BlueZ.properties, [.text("org.bluez.Other"), .dictionary(["RSSI": .number(1)])]),
      ("InterfacesAdded", BlueZ.objectManager, [.text("/x"), .number(1)]),
      ("InterfacesRemoved", BlueZ.objectManager, [.number(1), .array([])]), ("Other", "org.other", [.text("x")]),
    ] as [(String, String, [BusValue])])
  func malformed(_ member: String, _ interface: String, _ body: [BusValue]) {
    var changed = tree
    changed.apply(signal(member, interface, body))
    #expect(changed == tree)
  }

  @Test("give a device whatever the types of its properties are")
  func types() {
    for value: BusValue in [
      .boolean(true), .number(.max), .text(""), .bytes([1]), .array([.number(1)]), .dictionary([:]), .other,
    ] {
      for name in ["Name", "UUIDs", "RSSI", "Paired", "Connected"] {
        var tree = tree
        tree.apply(ScriptedBus.changed([name: value]))
        #expect(FoundMeter(at: ScriptedBus.device, in: tree) != nil)
      }
    }
    var tree = tree
    tree.apply(ScriptedBus.changed(["Address": .number(1)]))
    #expect(FoundMeter(at: ScriptedBus.device, in: tree) == nil)
  }

  private func signal(_ member: String, _ interface: String, _ body: [BusValue]) -> BusNotice {
    BusNotice(sender: ScriptedBus.daemon, path: ScriptedBus.device, interface: interface, member: member, body: body)
  }
}
