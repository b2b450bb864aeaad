// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Devices that a CCID driver of pcscd supports, from the driver's `Info.plist`.
///
/// pcscd starts a driver only for listed devices; any other reader stays invisible (read: pcsc-lite).
enum DriverList {
  /// Returns the ids in an XML property list: its arrays `ifdVendorID` and `ifdProductID`, paired by position.
  ///
  /// Text of another kind gives an empty set. The surplus of a longer array is ignored.
  static func ids(in text: String) -> Set<KnownReader.USBID> {
    Set(
      zip(numbers(of: "ifdVendorID", in: text), numbers(of: "ifdProductID", in: text)).compactMap { vendor, product in
        guard let vendor, let product else { return nil }
        return KnownReader.USBID(vendor: vendor, product: product)
      })
  }

  /// Numbers of one array; nil for an invalid number, so that the others keep their positions.
  private static func numbers(of key: String, in text: String) -> [UInt16?] {
    guard let start = text.firstRange(of: "<key>\(key)</key>")?.upperBound,
      let end = text[start...].firstRange(of: "</array>")?.lowerBound
    else { return [] }
    return text[start..<end].split(separator: "<string>").dropFirst().map { item in
      let digits = item.prefix { $0 != "<" }
      return digits.lowercased().hasPrefix("0x") ? UInt16(digits.dropFirst(2), radix: 16) : UInt16(digits)
    }
  }

  /// Returns a shell command that inserts a reader at the start of all three arrays of Debian's list, which must keep
  /// the same order.
  ///
  /// `name` is inserted unescaped: it must come from the catalogue, not from the device. Each array must begin on the
  /// line after its key, as in libccid 1.5.2 (run on a copy; pcscd was not tried with it).
  static func lineAdding(_ id: KnownReader.USBID, named name: String) -> String {
    let edits = [
      ("ifdVendorID", hex(id.vendor)), ("ifdProductID", hex(id.product)), ("ifdFriendlyName", name),
    ]
    let commands = edits.map { "-e '/>\($0.0)</{n;s|$|<string>\($0.1)</string>|}'" }
    return "sudo sed -i \(commands.joined(separator: " ")) /etc/libccid_Info.plist"
  }

  private static func hex(_ number: UInt16) -> String { "0x" + HexText.string(of: number) }
}
