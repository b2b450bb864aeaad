// SPDX-License-Identifier: Apache-2.0

/// A reader on the market, with its known abilities. All entries are untested on hardware.
package struct KnownReader: Hashable, Sendable {
  package let title: String
  /// Parts of the driver's name for this reader; compared without case.
  package let nameParts: [String]
  /// USB ids listed by libccid, libnfc, nfcpy and the kernel (read); empty if none of them lists the reader.
  package let usbIDs: [USBID]
  package let ability: Ability
  /// Software that connects it on Linux.
  package let driver: String
  package let note: String?
  package let proof: Proof
  package let scheme: String

  package enum Ability: Hashable, Sendable {
    /// Reads sensors in one of these dialects, most likely first.
    case reads(dialects: [String])
    case perhaps(reason: String)
    case cannot(reason: String)
  }

  package enum Proof: Hashable, Sendable {
    /// Somebody has read a Libre with it, using another program; the place where that was reported.
    case reported(String)
    /// Taken from manuals, driver sources, or traces of other tags.
    case documented
    case remembered

    package var name: String {
      switch self {
      case .reported: "reported"
      case .documented: "documented"
      case .remembered: "remembered"
      }
    }
  }

  package struct USBID: Hashable, Sendable, CustomStringConvertible {
    package let vendor: UInt16
    package let product: UInt16

    package init(vendor: UInt16, product: UInt16) {
      self.vendor = vendor
      self.product = product
    }

    /// Vendor and product as `lsusb` prints them: `072f:2303`.
    package var description: String { "\(HexText.string(of: vendor)):\(HexText.string(of: product))".lowercased() }
  }

  /// The entry for a driver's reader name. The longest matching part wins, so that an ACR1252 is not taken for an
  /// ACR122, or a PN532Killer for a PN532.
  package static func named(_ driverName: String) -> KnownReader? {
    let name = driverName.lowercased()
    let matches = (all + slots).flatMap { reader in
      reader.nameParts.filter { name.contains($0.lowercased()) }.map { (length: $0.count, reader: reader) }
    }
    return matches.max { $0.length < $1.length }?.reader
  }

  package static func plugged(_ id: USBID) -> KnownReader? { all.first { $0.usbIDs.contains(id) } }

  package var iso15693: ReaderAssessment.Ability {
    switch ability {
    case .reads: .yes
    case .perhaps: .unknown
    case .cannot: .no
    }
  }

  /// Dialects in which it reads, most likely first; empty if it may not read.
  package var dialects: [String] { if case .reads(let dialects) = ability { dialects } else { [] } }

  /// Reason why it may not read; nil if it does.
  package var reason: String? {
    switch ability {
    case .reads: nil
    case .perhaps(let reason), .cannot(let reason): reason
    }
  }
}

// MARK: - The catalogue

extension KnownReader {
  /// All readers: those that work, most convenient first, then the others.
  package static let all: [KnownReader] = [
    KnownReader(
      "ACS ACR1552U", ["ACR1552"], ids(0x072F, 0x2303, 0x2308),
      .reads(dialects: ["transparent-session", "acs-pass-through"]),
      driver: "libccid 1.5.3 or acsccid 1.1.10, or newer; Debian 12 has older ones of both",
      note: "sends any frame as it is; the best choice known"),
    KnownReader(
      "Proxmark3 (RDV4, Easy, Max and clones)", ["Proxmark3"], ids(0x9AC4, 0x4B8F), .reads(dialects: ["proxmark3"]),
      driver: "none needed; firmware v4.18218 or newer", note: "hold the sensor on the side of its HF antenna",
      proof: .reported("github.com/RfidResearchGroup/proxmark3, issue 2101 (Libre 2); cryptax/misc-code (Libre 1)"),
      scheme: "proxmark"),
    KnownReader(
      "Flipper Zero", ["Flipper"], [], .reads(dialects: ["flipper-raw"]),
      driver: "none needed; firmware of 2025 or newer",
      note: "hold the sensor on its back; with older firmware save a Libre 1 with its own app, then libre flipper list",
      scheme: "flipper"),
    KnownReader(
      "Android phone with NFC", ["NFCGate"], [], .reads(dialects: ["nfcgate"]),
      driver: "adb, and the app NFCGate on it", note: "by its USB cable; hold the sensor to its back", scheme: "phone"),
    KnownReader(
      "Bluetooth bridge (MiaoMiao, Watlaa, Bubble, Atom)", ["MiaoMiao", "Watlaa", "Bubble"], [],
      .reads(dialects: ["miaomiao", "bubble"]), driver: "none needed",
      note: "sits on the sensor and reads it by itself; libre bridges lists the kinds, libre watch reads one",
      scheme: "bridge"),
    KnownReader(
      "ACS ACR1581U", ["ACR1581"], [], .reads(dialects: ["transparent-session", "acs-pass-through"]),
      driver: "libccid 1.5.3 or acsccid 1.1.9, or newer; Debian 12 has older ones of both", proof: .remembered),
    KnownReader(
      "ACS ACR1555U", ["ACR1555"], [], .reads(dialects: ["transparent-session", "acs-pass-through"]),
      driver: "not known", proof: .remembered),
    KnownReader(
      "SpringCard (H663, H512, Puck, SpringCore …)", ["SpringCard"],
      ids(
        0x1C34, 0x6012, 0x601A, 0x6112, 0x611A, 0x6122, 0x612A, 0x6132, 0x613A, 0x7113, 0x7121, 0x7123, 0x7124, 0x7141,
        0x8141, 0x91B1, 0xA1A1),
      .reads(dialects: ["springcard", "read-binary"]), driver: "libccid"),
    KnownReader(
      "Identiv uTrust 3720 F, 3721 F", ["uTrust 3720", "uTrust 3721"], ids(0x04E6, 0x5612, 0x5613),
      .reads(dialects: ["identiv"]), driver: "libccid",
      note: "its command for patch info is a guess"),
    KnownReader(
      "HID OMNIKEY 5022, 5023, 5027, 5122, 5422, 5427",
      ["5022", "5023", "5027", "5122", "5422", "5427"].map { "OMNIKEY \($0)" },
      ids(0x076B, 0x5022, 0x5023, 0x5A27, 0x5412, 0x5432, 0x5422, 0x5427), .reads(dialects: ["read-binary"]),
      driver: "libccid",
      note:
        "reads single blocks only, without patch info; may return 4 of a block's 8 bytes; ISO 15693 may be switched off"
    ),
    KnownReader(
      "HID OMNIKEY 5321", ["CardMan 5321", "OMNIKEY 5321"], ids(0x076B, 0x5321), .reads(dialects: ["read-binary"]),
      driver: "the manufacturer's driver; libccid lists it too",
      note: "reads single blocks only, without patch info; may return 4 of a block's 8 bytes"),
    KnownReader(
      "PN532Killer", ["PN532Killer"], [], .reads(dialects: ["pn532killer"]), driver: "libnfc, as a serial device",
      note: "firmware of 2024-10-30 or newer; only with --reader nfc:CONNSTRING", scheme: "nfc"),

    KnownReader(
      "Identiv uTrust 3700 F, 4701 F, 4711 F, CLOUD 370x, 470x, SCL01x",
      ["uTrust 370", "uTrust 4701", "uTrust 4711", "CLOUD 370", "CLOUD 470", "SCL01"],
      ids(0x04E6, 0x5790, 0x5791, 0x5724, 0x5725, 0x5291, 0x5293),
      .perhaps(reason: "its manual describes no ISO 15693 command"), driver: "libccid"),
    KnownReader(
      "Feitian R502, bR500", ["Feitian R502", "Feitian bR500"], ids(0x096E, 0x060D, 0x0623),
      .perhaps(reason: "the manufacturer documents only the plain block read, and not for ISO 15693"), driver: "libccid"
    ),
    KnownReader(
      "Duali DE-620", ["DE-620"], ids(0x1DB2, 0x0801),
      .perhaps(reason: "ISO 15693 is optional, and its commands are not documented"), driver: "libccid"),
    KnownReader(
      "Elatec TWN4", ["TWN4"], ids(0x09D8, 0x0427, 0x0428),
      .perhaps(reason: "it reads ISO 15693 by its maker's own interface; by PC/SC that is not known"),
      driver: "libccid", proof: .remembered),

    KnownReader(
      "ACS ACR122U, Touchatag", ["ACR122", "Touchatag"], ids(0x072F, 0x2200),
      .cannot(reason: "its PN532 chip does not support ISO 15693"), driver: "libccid, libnfc"),
    KnownReader(
      "ACS ACR1251U, ACR1252U, ACR1255U, ACR1281U", ["ACR1251", "ACR1252", "ACR1255", "ACR1281"],
      ids(0x072F, 0x221A, 0x223B, 0x223E, 0x2259, 0x223F, 0x2224),
      .cannot(reason: "it reads ISO 14443 and FeliCa only"), driver: "libccid for most"),
    KnownReader(
      "PN532 modules, PN533 sticks, SCM SCL3711", ["PN531", "PN532", "PN533", "SCL3711"],
      ids(0x04CC, 0x0531, 0x2533) + ids(0x04E6, 0x5591, 0x5593, 0x5594) + ids(0x054C, 0x02E1),
      .cannot(reason: "its PN53x chip does not support ISO 15693"), driver: "libnfc"),
    KnownReader(
      "Sony RC-S300, RC-S380", ["RC-S300", "RC-S380"], ids(0x054C, 0x0DC8, 0x0DC9, 0x06C1, 0x06C3),
      .cannot(reason: "it reads ISO 14443 and FeliCa only"), driver: "libccid for the RC-S300"),
    KnownReader(
      "Feig CPR, PRH", ["FEIG"], [],
      .cannot(reason: "it reads ISO 15693 with the manufacturer's own protocol, which libre does not support"),
      driver: "none"),
  ]

  /// SAM slots: the same device has another slot, for tags. (Read for the ACR1552U's M1; derived for the others.)
  private static let slots: [KnownReader] = [
    KnownReader(
      "SAM slot", ["1S CL Reader SAM", "Reader SAM]"], [],
      .cannot(reason: "this slot is for a SAM; the reader has another slot for tags"), driver: "libccid")
  ]

  private init(
    _ title: String, _ nameParts: [String], _ usbIDs: [USBID], _ ability: Ability, driver: String,
    note: String? = nil, proof: Proof = .documented, scheme: String = "pcsc"
  ) {
    self.title = title
    self.nameParts = nameParts
    self.usbIDs = usbIDs
    self.ability = ability
    self.driver = driver
    self.note = note
    self.proof = proof
    self.scheme = scheme
  }

  private static func ids(_ vendor: UInt16, _ products: UInt16...) -> [USBID] {
    products.map { USBID(vendor: vendor, product: $0) }
  }
}
