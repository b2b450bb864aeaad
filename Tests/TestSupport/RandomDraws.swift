// SPDX-License-Identifier: Apache-2.0
public import SensorSimulator

/// What tests draw from a seeded generator; a failing case can be run again.
extension SplitMix64 {
  public mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
