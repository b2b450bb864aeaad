// SPDX-License-Identifier: Apache-2.0
import CGMModel
import SQLiteAccess

/// What a row of `sensor` holds: all that scans of one sensor agree on.
struct SensorFacts {
  var uid: String?
  var fingerprint: String?
  var serial: String?
  var family: SensorFamily
  var region: SensorRegion?
  var patchInfo: PatchInfo?
  var maxLifeMinutes: Int?
  var footer: [UInt8]?

  init(_ sensor: SensorDescription, footer: [UInt8]?) {
    uid = sensor.uid?.description
    fingerprint = sensor.fingerprint?.description
    serial = sensor.serial
    family = sensor.family
    region = sensor.region
    patchInfo = sensor.patchInfo
    maxLifeMinutes = sensor.maxLifeMinutes
    self.footer = footer
  }

  init(_ identity: SensorIdentity) {
    uid = identity.uid?.description
    fingerprint = identity.fingerprint?.description
    serial = identity.serial
    family = identity.family
  }

  static let columns = "uid, fingerprint, serial, family, region, patch_info, max_life_minutes, footer"

  init(_ row: [SQLiteValue]) {
    uid = row[0].text
    fingerprint = row[1].text
    serial = row[2].text
    family = row[3].text.flatMap(SensorFamily.init) ?? .unknown
    region = row[4].text.map(SensorRegion.init(name:))
    patchInfo = row[5].text.flatMap(HexText.bytes).flatMap(PatchInfo.init)
    maxLifeMinutes = row[6].minutes
    footer = row[7].blob
  }

  var identity: SensorIdentity {
    SensorIdentity(
      uid: uid.flatMap { try? SensorUID(printed: $0) },
      fingerprint: fingerprint.flatMap(HexText.bytes).flatMap(SensorFingerprint.init), serial: serial, family: family)
  }
}
