// SPDX-License-Identifier: Apache-2.0
import NFCTransport
import TestSupport

/// A product that can be plugged in. A new one is an entry in `Product.all`.
///
/// Numbers, strings, slots and features of smart-card readers are those that libccid's own list of readers records of real
/// ones (github.com/LudovicRousseau/CCID, directory `readers`); those of the serial devices are the ones that their
/// firmware sends (github.com/RfidResearchGroup/proxmark3, github.com/flipperdevices/flipperzero-firmware).
struct Product {
  let name: String
  let vendor: UInt16
  let product: UInt16
  let release: UInt16
  let manufacturer: String
  let title: String
  var serial: String?
  let kind: Kind

  enum Kind {
    case smartCard([CCIDInterface])
    case proxmark
    case flipper
  }

  static let all = [
    Product(
      name: "acr1552", vendor: 0x072F, product: 0x2303, release: 0x0100, manufacturer: "ACS", title: "ACR1552",
      kind: .smartCard([
        CCIDInterface(.transparentSession, "ACR1552 1S CL Reader PICC", features: 0x0004_04BA, longest: 516),
        CCIDInterface(nil, "ACR1552 1S CL Reader SAM", features: 0x0004_04BA, longest: 516, reportsChanges: false),
      ])),
    Product(
      name: "acr1552-picc", vendor: 0x072F, product: 0x2308, release: 0x0200, manufacturer: "ACS", title: "ACR1552",
      kind: .smartCard([CCIDInterface(.acsPassThrough, "ACR1552 CL Reader PICC", features: 0x0004_04BA, longest: 516)])),
    Product(
      name: "utrust3720", vendor: 0x04E6, product: 0x5612, release: 0x0104, manufacturer: "Identiv",
      title: "uTrust 3720 Contactless Reader",
      kind: .smartCard([CCIDInterface(.identiv, "uTrust 3720 Contactless Reader", features: 0x0002_04BE, longest: 263)])
    ),
    Product(
      name: "omnikey5022", vendor: 0x076B, product: 0x5022, release: 0x0100, manufacturer: "HID Global",
      title: "OMNIKEY 5022 Smart Card Reader",
      kind: .smartCard([
        CCIDInterface(.readBinary, "OMNIKEY 5022 Smart Card Reader", features: 0x0004_04BA, longest: 520)
      ])),
    Product(
      name: "h663", vendor: 0x1C34, product: 0x91B1, release: 0x0172, manufacturer: "SpringCard", title: "H663 Series",
      kind: .smartCard([CCIDInterface(.springCard, nil, slots: 2, features: 0x0002_047E, longest: 271)])),
    Product(
      name: "acr122u", vendor: 0x072F, product: 0x2200, release: 0x0206, manufacturer: "ACS",
      title: "ACR122U PICC Interface",
      kind: .smartCard([CCIDInterface(nil, nil, features: 0x0002_0040, longest: 271, hasPN532: true)])),
    Product(
      name: "proxmark3", vendor: 0x9AC4, product: 0x4B8F, release: 0x0001, manufacturer: "proxmark.org",
      title: "proxmark3", serial: "iceman", kind: .proxmark),
    Product(
      name: "flipper", vendor: 0x0483, product: 0x5740, release: 0x0100, manufacturer: "Flipper Devices Inc.",
      title: "Flipper Guest", serial: "flip_Guest", kind: .flipper),
    // Another device with the Flipper's number, as many development boards are.
    Product(
      name: "stm32", vendor: 0x0483, product: 0x5740, release: 0x0200, manufacturer: "STMicroelectronics",
      title: "STM32 Virtual ComPort", serial: "0001", kind: .flipper),
  ]
}

/// An interface of the class of smart-card readers.
struct CCIDInterface {
  /// nil for an interface on which no tag can be laid.
  let dialect: VirtualCard.Dialect?
  /// libccid puts it into the reader's name, in brackets.
  let title: String?
  let slots: UInt8
  let features: UInt32
  /// Length of the longest message.
  let longest: UInt32
  /// Whether there is an interrupt endpoint for changes of the slots.
  let reportsChanges: Bool
  /// Whether it passes commands on to a PN532, which is what the kernel's `pn533_usb` asks for.
  let hasPN532: Bool

  init(
    _ dialect: VirtualCard.Dialect?, _ title: String?, slots: UInt8 = 1, features: UInt32, longest: UInt32,
    reportsChanges: Bool = true, hasPN532: Bool = false
  ) {
    self.dialect = dialect
    self.title = title
    self.slots = slots
    self.features = features
    self.longest = longest
    self.reportsChanges = reportsChanges
    self.hasPN532 = hasPN532
  }
}
