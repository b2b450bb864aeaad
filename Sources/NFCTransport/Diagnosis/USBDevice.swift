// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// A device on the USB, as the kernel lists it.
package struct USBDevice: Hashable, Sendable {
  package var id: KnownReader.USBID
  /// The maker's name as the device gives it; nil if it does not.
  package var manufacturer: String?
  /// The device's name as it gives it; nil if it does not.
  package var product: String?
  /// True if one of its interfaces has the class of smart card readers (CCID, 0B), which is what PC/SC looks for.
  package var isCardReader: Bool

  package init(id: KnownReader.USBID, manufacturer: String? = nil, product: String?, isCardReader: Bool) {
    self.id = id
    self.manufacturer = manufacturer
    self.product = product
    self.isCardReader = isCardReader
  }

  /// The device with this directory in sysfs; nil if it is not that of a device.
  ///
  /// `interfaceClasses`: as the kernel writes them.
  init?(directory: String, interfaceClasses: [String] = []) {
    let vendor = Self.line("\(directory)/idVendor").flatMap { UInt16($0, radix: 16) }
    let product = Self.line("\(directory)/idProduct").flatMap { UInt16($0, radix: 16) }
    guard let vendor, let product else { return nil }
    self.init(
      id: KnownReader.USBID(vendor: vendor, product: product), manufacturer: Self.line("\(directory)/manufacturer"),
      product: Self.line("\(directory)/product"), isCardReader: interfaceClasses.contains("0b"))
  }

  /// The kernel's names for the places on the USB that are taken now.
  static func places(in directory: String = "/sys/bus/usb/devices") -> [String] {
    ((try? FileSystem.names(in: directory)) ?? []).sorted()
  }

  /// The first line of a file that the kernel keeps; nil for one that is missing.
  static func line(_ path: String) -> String? {
    (try? FileSystem.read(path, limit: 1 << 16)).map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
  }
}
