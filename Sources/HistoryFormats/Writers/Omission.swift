// SPDX-License-Identifier: Apache-2.0

/// Why an entry is not in an export: the words are the keys of `HistoryDocument.leftOut`.
package enum Omission: String, Error, Hashable, Sendable, CaseIterable {
  case withoutTime = "without a time"
  case unusable = "without a value that may be used"
  case withoutID = "without an id, because the sensor's UID is not known"
  case bound = "known only to be under or over a limit, which the format cannot say"
  case outOfRange = "outside the values that the format allows"
}
