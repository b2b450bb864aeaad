// SPDX-License-Identifier: Apache-2.0

/// What a wrong value would have led to, from A (the same treatment) to E (the opposite of it).
public enum ErrorGridZone: String, CaseIterable, Hashable, Sendable {
  case a = "A"
  case b = "B"
  case c = "C"
  case d = "D"
  case e = "E"
}
