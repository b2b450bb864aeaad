// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Characters of a value that a message repeats: a file may have a value of any length.
  static let longestShown = 40

  /// As much of a value as a message repeats.
  var shown: String { String(prefix(Self.longestShown)) }
}
