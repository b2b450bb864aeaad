// SPDX-License-Identifier: Apache-2.0
import Foundation
import HealthKit

/// For an app on an iPhone: saves what `libre history --json` wrote as blood glucose in Apple Health.
///
/// Give the app the capability HealthKit and a text for `NSHealthUpdateUsageDescription`. Saving the same samples again
/// doubles nothing: the sync identifier is the sample's id, and Apple Health keeps the object with the greatest sync
/// version, which is the one that was saved last. Samples with a
/// quality other than `ok` have no value that may be shown as one and are left out.
///
/// The parsing is tested with libre's own output. The calls of HealthKit are compiled against a stand-in, since there is
/// no HealthKit on Linux: untested on a device.
struct SaveToAppleHealth {
  struct History: Decodable {
    let samples: [Sample]
    /// Ids of samples that are not in the store any more.
    let deleted: [String]
    /// For `--after` the next time.
    let anchor: String
  }

  struct Sample: Decodable {
    let id: String?
    let serial: String?
    let ring: String
    let time: Date?
    let quality: String
    let milligramsPerDecilitre: Double?

    enum CodingKeys: String, CodingKey {
      case id, serial, ring, time, quality
      case milligramsPerDecilitre = "glucose_mg_dl"
    }
  }

  /// A value, its time and its calibration may all change, so what is saved later replaces what was saved before.
  var version = Int(Date().timeIntervalSince1970)

  let store = HKHealthStore()
  let type = HKQuantityType(.bloodGlucose)

  static func history(_ json: Data) throws -> History {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(History.self, from: json)
  }

  /// Saves a document, and removes what it says is gone. Returns the anchor to ask with the next time.
  func save(_ json: Data) async throws -> String {
    let history = try Self.history(json)
    try await store.requestAuthorization(toShare: [type], read: [])
    let objects = history.samples.compactMap(object)
    if !objects.isEmpty { try await store.save(objects) }
    if !history.deleted.isEmpty {
      let gone = HKQuery.predicateForObjects(
        withMetadataKey: HKMetadataKeySyncIdentifier, allowedValues: history.deleted)
      _ = try await store.deleteObjects(of: type, predicate: gone)
    }
    return history.anchor
  }

  /// nil for what is no value, has no time, or is of a drop of blood and thus another device's.
  func object(_ sample: Sample) -> HKQuantitySample? {
    guard sample.quality == "ok", sample.ring != "finger_stick", let id = sample.id, let time = sample.time,
      let value = sample.milligramsPerDecilitre
    else { return nil }
    // Apple Health has one device for a value, and that is the sensor.
    let sensor = HKDevice(
      name: "FreeStyle Libre", manufacturer: "Abbott", model: nil, hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: nil, localIdentifier: sample.serial, udiDeviceIdentifier: nil)
    return HKQuantitySample(
      type: type, quantity: HKQuantity(unit: HKUnit(from: "mg/dL"), doubleValue: value), start: time, end: time,
      device: sensor,
      metadata: [
        HKMetadataKeySyncIdentifier: id, HKMetadataKeySyncVersion: version,
        HKMetadataKeyExternalUUID: id, HKMetadataKeyWasUserEntered: false,
      ])
  }
}
