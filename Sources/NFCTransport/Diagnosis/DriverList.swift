// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The devices for which a CCID driver of pcscd says that it is meant: its `Info.plist`.
///
/// pcscd starts a driver only for what it lists; a reader that is missing stays invisible (read: pcsc-lite).
enum DriverList {
  /// The ids of a property list in XML: its arrays `ifdVendorID` and `ifdProductID`, side by side.
  ///
  /// Text that is none has none. A longer array's rest has no partner and is left out.
  static func ids(in text: String) -> Set<KnownReader.USBID> {
    Set(
      zip(numbers(of: "ifdVendorID", in: text), numbers(of: "ifdProductID", in: text)).compactMap { vendor, product in
        guard let vendor, let product else { return nil }
        return KnownReader.USBID(vendor: vendor, product: product)
      })
  }

  /// nil for what is no number, so that the partners of the others keep their places.
  private static func numbers(of key: String, in text: String) -> [UInt16?] {
    guard let start = text.firstRange(of: "<key>\(key)</key>")?.upperBound,
      let end = text[start...].firstRange(of: "</array>")?.lowerBound
    else { return [] }
    return text[start..<end].split(separator: "<string>").dropFirst().map { item in
      let digits = item.prefix { $0 != "<" }
      return digits.lowercased().hasPrefix("0x") ? UInt16(digits.dropFirst(2), radix: 16) : UInt16(digits)
    }
  }

  /// The shell's line that puts a reader first in all three arrays of Debian's list, whose orders must agree.
  ///
  /// `name` stands in it as it is: it must be ours, not the device's. Each array must begin on the line after its key, as
  /// in libccid 1.5.2 (run, on a copy; pcscd was not tried with it).
  static func lineAdding(_ id: KnownReader.USBID, named name: String) -> String {
    let edits = [
      ("ifdVendorID", hex(id.vendor)), ("ifdProductID", hex(id.product)), ("ifdFriendlyName", name),
    ]
    let commands = edits.map { "-e '/>\($0.0)</{n;s|$|<string>\($0.1)</string>|}'" }
    return "sudo sed -i \(commands.joined(separator: " ")) /etc/libccid_Info.plist"
  }

  private static func hex(_ number: UInt16) -> String { "0x" + HexText.string(of: number) }
}
