// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import NFCTransport

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

  @Test("a port unknown to the kernel is listed without a device")
  func unknown() throws {
    try folder.write("", to: "dev/ttyACM1")
    try folder.write("", to: "dev/ttyS0")
    #expect(all == [SerialDevice(path: "/dev/ttyACM1", isUsable: true)])
  }

  @Test("a USB device without ids is ignored")
  func noID() throws {
    try plant("ttyACM0", "9ac4", "zz", "1-2:1.0")
    #expect(all == [SerialDevice(path: "/dev/ttyACM0", isUsable: true)])
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
