// SPDX-License-Identifier: Apache-2.0

/// Words that a mistyped one may have meant.
enum Similarity {
  /// The candidates that are nearest to a word, if they are near: those that it is the beginning of, else those with the
  /// fewest letters inserted, removed, changed or swapped, at most one for every three letters.
  static func nearest(to word: String, among candidates: [String]) -> [String] {
    let begun = candidates.filter { $0.hasPrefix(word) }
    if !begun.isEmpty, word.count > 1 { return begun }
    let distances = candidates.map { (name: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
    guard let least = distances.map(\.distance).min(), least <= max(1, word.utf8.count / 3) else { return [] }
    return distances.filter { $0.distance == least }.map(\.name)
  }

  /// The number of single-letter changes, swaps of neighbours among them, from one word to another.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, wanted) in other.enumerated() {
        var least = min(next[column] + 1, last[column + 1] + 1, last[column] + (letter == wanted ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == wanted {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return last[other.count]
  }
}
