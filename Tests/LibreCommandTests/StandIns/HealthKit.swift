// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// What `tools/apple-health` calls of Apple's framework, with its names and argument labels (remembered), and nothing
// behind it: saved objects are written to standard output.
public let HKMetadataKeySyncIdentifier = "HKMetadataKeySyncIdentifier"
public let HKMetadataKeySyncVersion = "HKMetadataKeySyncVersion"
public let HKMetadataKeyExternalUUID = "HKExternalUUID"
public let HKMetadataKeyWasUserEntered = "HKWasUserEntered"

public struct HKQuantityTypeIdentifier { public static let bloodGlucose = Self() }

public class HKObjectType: NSObject {}
public class HKSampleType: HKObjectType {}
public final class HKQuantityType: HKSampleType {
  public init(_ identifier: HKQuantityTypeIdentifier) {}
}

public final class HKUnit {
  let text: String
  public init(from text: String) { self.text = text }
}

public final class HKQuantity {
  let unit: HKUnit
  let value: Double
  public init(unit: HKUnit, doubleValue: Double) {
    self.unit = unit
    value = doubleValue
  }
}

public final class HKDevice {
  let localIdentifier: String?
  public init(
    name: String?, manufacturer: String?, model: String?, hardwareVersion: String?, firmwareVersion: String?,
    softwareVersion: String?, localIdentifier: String?, udiDeviceIdentifier: String?
  ) { self.localIdentifier = localIdentifier }
}

public class HKObject {}
public final class HKQuantitySample: HKObject {
  let line: String
  public init(
    type: HKQuantityType, quantity: HKQuantity, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?
  ) {
    precondition(start == end)
    let id = metadata?[HKMetadataKeySyncIdentifier] as? String ?? ""
    let version = metadata?[HKMetadataKeySyncVersion] as? Int ?? 0
    let seconds = Int(start.timeIntervalSince1970)
    line = "\(id) \(version) \(seconds) \(quantity.value) \(quantity.unit.text) \(device?.localIdentifier ?? "-")"
  }
}

public final class HKQuery {
  public static func predicateForObjects(withMetadataKey key: String, allowedValues: [Any]) -> NSPredicate {
    NSPredicate(value: true)
  }
}

public final class HKHealthStore {
  public init() {}
  public func requestAuthorization(toShare: Set<HKSampleType>, read: Set<HKObjectType>) async throws {}
  public func save(_ objects: [HKObject]) async throws {
    for case let sample as HKQuantitySample in objects { print(sample.line) }
  }
  public func deleteObjects(of type: HKObjectType, predicate: NSPredicate) async throws -> Int { 0 }
}
