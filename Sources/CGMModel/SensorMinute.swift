// SPDX-License-Identifier: Apache-2.0

/// Minutes since a sensor was started: the sensor's own clock, and with UID and ring the identity of a sample.
public struct SensorMinute: Hashable, Sendable, Comparable {
  /// The number of minutes. Samples have values from 1; 21 605 is the largest seen (Libre1Core/MemoryFormat, "Body").
  public let value: Int

  public init(_ value: Int) { self.value = value }

  public static func < (left: SensorMinute, right: SensorMinute) -> Bool { left.value < right.value }
}

extension SensorMinute: CustomStringConvertible {
  public var description: String { String(value) }
}
