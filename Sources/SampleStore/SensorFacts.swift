// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess

/// A row of `sensor`: the facts on which all scans of one sensor agree.
struct SensorFacts {
  let identity: SensorIdentity
  var region: SensorRegion?
  var patchInfo: PatchInfo?
  var maxLifeMinutes: Int?
  var footer: [UInt8]?

  init(_ sensor: SensorDescription, footer: [UInt8]?) {
    identity = sensor.identity
    region = sensor.region
    patchInfo = sensor.patchInfo
    maxLifeMinutes = sensor.maxLifeMinutes
    self.footer = footer
  }

  init(_ identity: SensorIdentity) { self.identity = identity }

  static let columns = "uid, fingerprint, serial, family, region, patch_info, max_life_minutes, footer"

  init(_ row: [SQLiteValue]) {
    identity = SensorIdentity(
      uid: row[0].text.flatMap { try? SensorUID(printed: $0) },
      fingerprint: row[1].text.flatMap(HexText.bytes).flatMap(SensorFingerprint.init),
      serial: row[2].text.flatMap(Self.serial),
      family: row[3].text.flatMap(SensorFamily.init) ?? .unknown)
    region = row[4].text.map(SensorRegion.init(name:))
    patchInfo = row[5].text.flatMap(HexText.bytes).flatMap(PatchInfo.init)
    maxLifeMinutes = row[6].minutes
    footer = row[7].blob
  }

  /// The serial number; nil for a text that cannot be one. Serial numbers are shown as they are.
  private static func serial(_ text: String) -> String? {
    let isSerial = (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isSerial ? text : nil
  }

  var uid: String? { identity.uid?.description }
  var fingerprint: String? { identity.fingerprint?.description }
}
