// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// What `tools/apple-health` calls of Apple's framework, with its names and argument labels (remembered), and nothing
// behind it: saved objects are written to standard output.
package let HKMetadataKeySyncIdentifier = "HKMetadataKeySyncIdentifier"
package let HKMetadataKeySyncVersion = "HKMetadataKeySyncVersion"
package let HKMetadataKeyExternalUUID = "HKExternalUUID"
package let HKMetadataKeyWasUserEntered = "HKWasUserEntered"

package struct HKQuantityTypeIdentifier { package static let bloodGlucose = Self() }

package class HKObjectType: NSObject {}
package class HKSampleType: HKObjectType {}
package final class HKQuantityType: HKSampleType {
  package init(_ identifier: HKQuantityTypeIdentifier) {}
}

package final class HKUnit {
  let text: String
  package init(from text: String) { self.text = text }
}

package final class HKQuantity {
  let unit: HKUnit
  let value: Double
  package init(unit: HKUnit, doubleValue: Double) {
    self.unit = unit
    value = doubleValue
  }
}

package final class HKDevice {
  let localIdentifier: String?
  package init(
    name: String?, manufacturer: String?, model: String?, hardwareVersion: String?, firmwareVersion: String?,
    softwareVersion: String?, localIdentifier: String?, udiDeviceIdentifier: String?
  ) { self.localIdentifier = localIdentifier }
}

package class HKObject {}
package final class HKQuantitySample: HKObject {
  let line: String
  package init(
    type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?
  ) {
    precondition(start == end)
    let id = metadata?[HKMetadataKeySyncIdentifier] as? String ?? ""
    let version = metadata?[HKMetadataKeySyncVersion] as? Int ?? 0
    let seconds = Int(start.timeIntervalSince1970)
    line = "\(id) \(version) \(seconds) \(quantity.value) \(quantity.unit.text) \(device?.localIdentifier ?? "-")"
  }
}

package final class HKQuery {
  package static func predicateForObjects(withMetadataKey key: String, allowedValues: [Any]) -> NSPredicate {
    NSPredicate(value: true)
  }
}

package final class HKHealthStore {
  package init() {}
  package func requestAuthorization(toShare: Set<HKSampleType>, read: Set<HKObjectType>) async throws {}
  package func save(_ objects: [HKObject]) async throws {
    for case let sample as HKQuantitySample in objects { print(sample.line) }
  }
  package func deleteObjects(of type: HKObjectType, predicate: NSPredicate) async throws -> Int { 0 }
}
