// SPDX-License-Identifier: Apache-2.0

/// What became of an entry that was put into the store by itself, without a scan.
public enum EntryOutcome: Hashable, Sendable {
  case added
  /// It replaced an error, or gave a value where there was none.
  case filled
  case known
  case conflict
  /// The user removed it earlier, so it is not taken over again; or nobody can tell whose it is.
  case leftOut
}
