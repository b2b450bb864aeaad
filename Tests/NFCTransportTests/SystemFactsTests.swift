// SPDX-License-Identifier: Apache-2.0
import Foundation
import HostSystem
import TestSupport
import Testing

@testable import NFCTransport

/// Tests facts that are read from files in a temporary directory.
struct SystemFactsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func facts(_ environment: [String: String] = [:]) -> SystemFacts {
    SystemFacts(root: folder.path, environment: environment)
  }

  private func plantDevice(_ name: String, _ vendor: String, _ product: String, _ title: String?, class: String) throws
  {
    let place = "sys/bus/usb/devices"
    try folder.write(vendor + "\n", to: "\(place)/\(name)/idVendor")
    try folder.write(product + "\n", to: "\(place)/\(name)/idProduct")
    if let title { try folder.write(title + "\n", to: "\(place)/\(name)/product") }
    try folder.write(`class` + "\n", to: "\(place)/\(name):1.0/bInterfaceClass")
  }

  /// Returns a driver's list in the format of libccid.
  private static func list(_ ids: [(String, String, String)]) -> String {
    func array(_ key: String, _ values: [String]) -> String {
      let lines = values.map { "\t\t<string>\($0)</string>\n" }.joined()
      return "\t<key>\(key)</key>\n\t<array>\n\(lines)\t</array>\n\n"
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n"
      + array("ifdVendorID", ids.map(\.0)) + array("ifdProductID", ids.map(\.1))
      + array("ifdFriendlyName", ids.map(\.2))
      + "</dict>\n</plist>\n"
  }

  @Test("the software and its state are known by the files at the paths of the distributions")
  func software() throws {
    func planted(_ path: String) throws -> SystemFacts {
      try folder.write("", to: path)
      return facts()
    }
    #expect(facts().isClockSynchronised == nil)
    #expect(try planted("run/systemd/timesync/other").isClockSynchronised == false)
    let set = try planted("run/systemd/timesync/synchronized")
    #expect(set.isClockSynchronised == true && set.now != nil)
    #expect(try planted("usr/sbin/pcscd").hasDaemon && planted("run/systemd/system/x").usesSystemd)
    #expect(try planted("sys/module/pn533_usb/refcnt").kernelModules == ["pn533_usb"])
    // The rule of the package, and that of the user.
    for place in ["usr/share", "etc"] {
      #expect(!facts().hasPolkitRule)
      #expect(try planted("\(place)/polkit-1/rules.d/60-libre.rules").hasPolkitRule)
      try FileManager.default.removeItem(atPath: folder.path("\(place)/polkit-1"))
    }
  }

  @Test("a machine without any of the files has empty facts, without an error")
  func empty() {
    let facts = facts()
    #expect(facts.usbDevices.isEmpty && facts.kernelModules.isEmpty && facts.serialPorts.isEmpty)
    #expect(!facts.hasDaemon && !facts.usesSystemd)
    #expect(facts.driverIDs == nil)
    #expect(facts.timeZone.name == nil && facts.timeZone.isKnown)
  }

  @Test("USB devices are read with ids, names and card reader flag; interfaces are not devices")
  func usbDevices() throws {
    try plantDevice("1-1", "072f", "2303", "ACR1552 1S CL Reader", class: "0b")
    try plantDevice("1-2.4", "1a86", "55d3", nil, class: "02")
    try folder.write("zz\n", to: "sys/bus/usb/devices/1-3/idVendor")
    try folder.write("2303\n", to: "sys/bus/usb/devices/1-3/idProduct")
    #expect(
      facts().usbDevices == [
        USBDevice(
          id: .init(vendor: 0x072F, product: 0x2303), product: "ACR1552 1S CL Reader", isCardReader: true),
        USBDevice(id: .init(vendor: 0x1A86, product: 0x55D3), product: nil, isCardReader: false),
      ])
  }

  @Test("a phone is known by its interfaces for files and for debugging")
  func phone() throws {
    try plantDevice("1-1", "18d1", "4ee2", "Pixel 7a", class: "06")
    try folder.write("MTP\n", to: "sys/bus/usb/devices/1-1:1.0/interface")
    for (part, number) in [("SubClass", "01"), ("Protocol", "01")] {
      try folder.write("\(number)\n", to: "sys/bus/usb/devices/1-1:1.0/bInterface\(part)")
    }
    #expect(facts().usbDevices.map(\.sharesFiles) == [true])
    #expect(facts().usbDevices.map(\.isDebuggedPhone) == [false])
    for (part, number) in [("Class", "ff"), ("SubClass", "42"), ("Protocol", "01")] {
      try folder.write("\(number)\n", to: "sys/bus/usb/devices/1-1:1.1/bInterface\(part)")
    }
    try folder.write("ADB Interface\n", to: "sys/bus/usb/devices/1-1:1.1/interface")
    #expect(facts().usbDevices.map(\.isDebuggedPhone) == [true])
  }

  @Test("the lists of all drivers are merged")
  func drivers() throws {
    let drivers = "usr/lib/pcsc/drivers"
    try folder.write(
      Self.list([("0x072F", "0x2200", "ACS ACR122U"), ("0x08E6", "0x3437", "Gemalto")]),
      to: "\(drivers)/ifd-ccid.bundle/Contents/Info.plist")
    try folder.write(
      Self.list([("0x072F", "0x2303", "ACS ACR1552")]), to: "\(drivers)/ifd-acsccid.bundle/Contents/Info.plist")
    #expect(
      facts().driverIDs == [
        .init(vendor: 0x072F, product: 0x2200), .init(vendor: 0x08E6, product: 0x3437),
        .init(vendor: 0x072F, product: 0x2303),
      ])
  }

  @Test(
    "an invalid list is empty, and an invalid entry does not shift the others",
    arguments: [
      ("", 0), ("<plist>", 0), ("<key>ifdVendorID</key><array><string>0x072F</string></array>", 0),
      (list([("0x072F", "0x2303", "A"), ("seven", "0x1", "B"), ("0x1", "0x2", "C")]), 2),
    ])
  func badLists(text: String, count: Int) throws {
    try folder.write(text, to: "usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist")
    let ids = try #require(facts().driverIDs)
    #expect(ids.count == count)
    if count > 0 { #expect(ids.contains(.init(vendor: 0x1, product: 0x2))) }
  }

  @Test(
    "the doctor's command for an old driver adds the reader, also to a real libccid list if present",
    .startsProcesses)
  func remedy() throws {
    let reader = KnownReader.USBID(vendor: 0x072F, product: 0x2303)
    let plist = "usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist"
    var lists = [Array(Self.list([("0x08E6", "0x3437", "Gemalto")]).utf8)]
    if let installed = try? FileSystem.read("/etc/libccid_Info.plist", limit: 1 << 24) { lists.append(installed) }
    for list in lists {
      let path = try folder.write(list, to: plist)
      var before = facts()
      before.usbDevices = [USBDevice(id: reader, product: nil, isCardReader: true)]
      let driver = Doctor(facts: before, pcsc: .success([])).diagnosis.checks.first { $0.name == "driver" }
      // A libccid that lists the reader already needs no command.
      guard let remedy = driver?.remedy else { continue }
      let line = String(remedy.split(separator: " && ")[0]).replacing("sudo ", with: "")
        .replacing("/etc/libccid_Info.plist", with: "'\(path)'")
      #expect(try Sandbox().shell(line).status == 0)
      #expect(facts().driverIDs == before.driverIDs?.union([reader]))
      let written = try FileSystem.read(path, limit: 1 << 24)
      let after = try PropertyListSerialization.propertyList(from: Data(written), format: nil)
      let arrays = ["ifdVendorID", "ifdProductID", "ifdFriendlyName"].map {
        (after as? [String: Any])?[$0] as? [String]
      }
      #expect(arrays.map { $0?.first } == ["0x072F", "0x2303", "ACS ACR1552U"])
      #expect(Set(arrays.map { $0?.count }).count == 1)
    }
  }

  @Test("the time zone is that of TZ, else the one that /etc/localtime links to; an unknown name is marked")
  func timeZone() throws {
    for (variable, name, isKnown) in [
      ("Europe/Rome", "Europe/Rome", true), (":Europe/Rome", "Europe/Rome", true), ("CET-1CEST", "CET-1CEST", true),
      ("", "UTC", true), ("Europe/Rom", "Europe/Rom", false), ("/etc/localtime", "/etc/localtime", true),
    ] {
      let zone = facts(["TZ": variable]).timeZone
      #expect(zone.name == name && zone.isKnown == isKnown)
    }
    let rome = try folder.write("TZif", to: "usr/share/zoneinfo/Europe/Rome")
    try folder.write("", to: "etc/other")
    try FileManager.default.createSymbolicLink(atPath: folder.path("etc/localtime"), withDestinationPath: rome)
    #expect(facts().timeZone.name == "Europe/Rome")
  }
}

/// Tests ports in a tree of files and links like that of the kernel.
struct SerialDeviceTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// `interface` is the directory below the USB device that the link of the port points to.
  private func plant(_ name: String, _ vendor: String, _ product: String, _ interface: String) throws {
    let device = "sys/devices/usb1/1-2"
    try folder.write("", to: "dev/\(name)")
    try folder.write("\(vendor)\n", to: "\(device)/idVendor")
    try folder.write("\(product)\n", to: "\(device)/idProduct")
    try folder.write("proxmark.org\n", to: "\(device)/manufacturer")
    try folder.write("proxmark3\n", to: "\(device)/product")
    try folder.write("02\n", to: "\(device)/\(interface)/bInterfaceClass")
    try folder.write("166:0\n", to: "sys/class/tty/\(name)/dev")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/sys/class/tty/\(name)/device",
      withDestinationPath: "\(folder.path)/\(device)/\(interface)")
  }

  private var all: [SerialDevice] { SerialDevice.all(root: folder.path) }

  @Test(
    "a port is listed with its USB device, also with a USB-to-serial chip",
    arguments: [("ttyACM0", "1-2:1.0"), ("ttyUSB3", "1-2:1.0/ttyUSB3")])
  func usb(name: String, interface: String) throws {
    try plant(name, "9ac4", "4b8f", interface)
    let device = USBDevice(
      id: .init(vendor: 0x9AC4, product: 0x4B8F), manufacturer: "proxmark.org", product: "proxmark3",
      isCardReader: false)
    #expect(all == [SerialDevice(path: "/dev/\(name)", isUsable: true, usb: device)])
  }

  @Test("a port unknown to the kernel is listed without a device, and so is one whose device has no ids")
  func unknown() throws {
    for name in ["ttyACM1", "ttyS0"] { try folder.write("", to: "dev/\(name)") }
    try plant("ttyACM0", "9ac4", "zz", "1-2:1.0")
    #expect(all == [0, 1].map { SerialDevice(path: "/dev/ttyACM\($0)", isUsable: true) })
  }

  @Test("a udev rule against ModemManager is detected", arguments: ["ID_MM_PORT_IGNORE", "ID_MM_DEVICE_IGNORE"])
  func leftAlone(name: String) throws {
    try plant("ttyACM0", "9ac4", "4b8f", "1-2:1.0")
    try folder.write("E:\(name)=0\n", to: "run/udev/data/c166:0")
    #expect(all.map(\.isLeftAlone) == [false])
    try folder.write("S:x\nE:\(name)=1\n", to: "run/udev/data/c166:0")
    #expect(all.map(\.isLeftAlone) == [true])
  }
}
