// SPDX-License-Identifier: Apache-2.0

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// True if the text occurs in these bytes: how a format looks for its marks before it reads anything.
  package func contains(text: String) -> Bool {
    let pattern = Array(text.utf8)
    guard let first = pattern.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first), endIndex - start >= pattern.count {
      if self[start..<start + pattern.count].elementsEqual(pattern) { return true }
      rest = self[(start + 1)...]
    }
    return false
  }
}
