// SPDX-License-Identifier: Apache-2.0
package import CGMModel

extension ISO15693 {
  /// A tag's description of itself. Only the UID is used: the other parts are optional, and sensors send the size only
  /// (read: proxmark3 issue 2101, react-native-nfc-manager issue 511).
  package struct SystemInformation: Hashable, Sendable {
    package let uid: SensorUID

    /// Parses the bytes after the response flags: a byte that lists the present parts (bits 0…3: data format,
    /// application family, size, chip), the UID, the parts in the order of those bits. nil if the length does not
    /// match.
    init?(_ data: [UInt8]) {
      guard data.count >= 9, data[0] & 0xF0 == 0, let uid = SensorUID(onAir: data[1..<9]) else { return nil }
      let lengths = [1, 1, 2, 1].enumerated().map { data[0] >> $0.offset & 1 == 1 ? $0.element : 0 }
      guard data.count == 9 + lengths.reduce(0, +) else { return nil }
      self.uid = uid
    }
  }
}
