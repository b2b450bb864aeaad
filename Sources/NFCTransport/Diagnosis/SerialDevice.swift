// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// A serial port that the system lists, and the USB device behind it.
package struct SerialDevice: Hashable, Sendable {
  package var path: String
  /// True if this user may read and write it.
  package var isUsable: Bool
  /// nil where no USB device is behind it, or the kernel does not say.
  package var usb: USBDevice?
  /// True if a rule of udev keeps ModemManager from opening it.
  package var isLeftAlone: Bool

  package init(path: String, isUsable: Bool, usb: USBDevice? = nil, isLeftAlone: Bool = false) {
    self.path = path
    self.isUsable = isUsable
    self.usb = usb
    self.isLeftAlone = isLeftAlone
  }

  /// All that are plugged in below `root`, the directory that stands for `/`; none of them is opened.
  package static func all(root: String = "") -> [SerialDevice] {
    let names = ((try? FileSystem.names(in: root + "/dev")) ?? []).sorted()
    return names.filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }.map { name in
      // The link `device` leads to the interface, whose parent is the device; behind a USB-to-serial chip the port has
      // a directory of its own in between (read: the kernel's cdc-acm and usb-serial).
      let device = "\(root)/sys/class/tty/\(name)/device"
      let usb = USBDevice(directory: "\(device)/..") ?? USBDevice(directory: "\(device)/../..")
      return SerialDevice(
        path: "/dev/\(name)", isUsable: FileSystem.mayUse("\(root)/dev/\(name)"), usb: usb,
        isLeftAlone: isLeftAlone("\(root)/sys/class/tty/\(name)/dev", root))
    }
  }

  /// udev keeps what its rules have set by the device's number (read: ModemManager, for the two names).
  private static func isLeftAlone(_ numberFile: String, _ root: String) -> Bool {
    guard let number = USBDevice.line(numberFile),
      let file = try? FileSystem.read("\(root)/run/udev/data/c\(number)", limit: 1 << 16)
    else { return false }
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
    return lines.contains("E:ID_MM_PORT_IGNORE=1") || lines.contains("E:ID_MM_DEVICE_IGNORE=1")
  }
}
