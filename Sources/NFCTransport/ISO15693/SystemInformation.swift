// SPDX-License-Identifier: Apache-2.0
public import CGMModel

extension ISO15693 {
  /// What a tag says about itself. Each part may be left out; sensors give the UID and the size only
  /// (read: proxmark3 issue 2101, react-native-nfc-manager issue 511).
  public struct SystemInformation: Hashable, Sendable {
    public let uid: SensorUID
    public let dataFormat: UInt8?
    public let applicationFamily: UInt8?
    /// 1…256; 244 on Libre 1.
    public let blockCount: Int?
    /// Bytes, 1…32; 8 on sensors, 4 on most other tags.
    public let blockSize: Int?
    public let chipReference: UInt8?

    /// Reads what follows the response flags: a byte that says which parts are there (bits 0…3), the UID, the parts in
    /// the order of those bits. nil if that does not come out even.
    init?(_ data: [UInt8]) {
      guard data.count >= 9, data[0] & 0xF0 == 0, let uid = SensorUID(onAir: data[1..<9]) else { return nil }
      let parts = data[0]
      let sizes = [1, 1, 2, 1]
      guard data.count == 9 + (0..<4).reduce(0, { $0 + (parts >> $1 & 1 == 1 ? sizes[$1] : 0) }) else { return nil }
      var rest = data[9...]
      self.uid = uid
      dataFormat = parts & 1 == 0 ? nil : rest.removeFirst()
      applicationFamily = parts & 2 == 0 ? nil : rest.removeFirst()
      blockCount = parts & 4 == 0 ? nil : Int(rest.removeFirst()) + 1
      blockSize = parts & 4 == 0 ? nil : Int(rest.removeFirst() & 0x1F) + 1
      chipReference = parts & 8 == 0 ? nil : rest.removeFirst()
    }
  }
}
