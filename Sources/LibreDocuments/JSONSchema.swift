// SPDX-License-Identifier: Apache-2.0
import LibreKit
import TextFormats

extension JSONSchema {
  /// A time in UTC, to the second; null if unknown.
  static let time = string.orNull.matching("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
  /// A date and time of a clock without a zone, to the second; null if unknown.
  static let localTime = string.orNull.matching("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$")
  /// Bytes as upper-case hex digits.
  static let hex = string.matching("^([0-9A-F]{2})*$")
  static let state = one(of: "not_activated", "warming_up", "active", "expired", "shutdown", "failure", "unknown")
  static let uid = string.matching("^E0[0-9A-F]{14}$")
  static let fingerprint = string.matching("^[0-9A-F]{32}$")
  static let patchInfo = string.matching("^([0-9A-F]{2}){6,24}$")
  static let sampleID = string.matching("^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
  static let measuredRing = one(of: SampleRing.self)
  static let ring = one(of: "history", "trend", "finger_stick")
  static let direction = one(of: TrendDirection.self)
  static let tool = string.matching("^libre ")
  static let code = string.matching("^[a-z0-9_]+$")
  static let nonEmpty = string.with("minLength", 1)
  static let byte = integer.from(0, to: 255)
  static let word = integer.from(0, to: 65535)
  static let size = number.with("minimum", 0)
}
