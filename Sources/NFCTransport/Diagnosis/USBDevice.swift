// SPDX-License-Identifier: Apache-2.0

/// A device on the USB, as the kernel lists it.
public struct USBDevice: Hashable, Sendable {
  public var id: KnownReader.USBID
  /// As the device calls itself; nil if it does not.
  public var product: String?
  /// True if one of its interfaces has the class of smart card readers (CCID, 0B), which is what PC/SC looks for.
  public var isCardReader: Bool

  public init(id: KnownReader.USBID, product: String?, isCardReader: Bool) {
    self.id = id
    self.product = product
    self.isCardReader = isCardReader
  }
}
