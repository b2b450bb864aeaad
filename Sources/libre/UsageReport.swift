// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HostSystem
import LibreDocuments
import TextFormats

/// What is wrong with a command line, in the form of all other errors: the reason, then a line `Try: …`.
struct UsageReport {
  let message: String
  let resolution: String

  /// Looks for the nearest reason first: an unknown command, then an unknown option, then what the parser found.
  ///
  /// The parser checks values before it looks for options that it does not know; but where an option is mistyped, the
  /// rest of what it says is about something else.
  init(of error: any Error, arguments: [String]) {
    let (path, type) = Self.command(of: arguments)
    let rest = arguments.dropFirst(path.count - 1).prefix { $0 != "--" }
    let name = path.joined(separator: " ")
    if !type.configuration.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-") {
      let nearest = Similarity.nearest(to: word, among: Self.names(of: type.configuration.subcommands))
      message = "unknown command '\(SafeText.excerpt(word))'"
      resolution =
        nearest.isEmpty
        ? "\(name) --help lists the commands"
        : "did you mean \(nearest.map { "\(name) \($0)" }.joined(separator: " or "))?"
      return
    }
    let known = Self.options(of: type)
    if let option = rest.first(where: { $0.hasPrefix("--") && !known.contains(Self.name(of: $0)) }) {
      let nearest = Similarity.nearest(to: Self.name(of: option), among: known.sorted())
      // Only the name: what stands behind it may be a secret.
      message = "unknown option '\(SafeText.excerpt(Self.name(of: option)))'"
      resolution =
        nearest.isEmpty
        ? "\(name) --help lists the options" : "did you mean \(nearest.joined(separator: " or "))?"
      return
    }
    let text = Libre.message(for: error)
    if let range = text.ranges(of: ". Try").first ?? text.ranges(of: "? Try").first {
      let way = text[range.upperBound...].drop { $0 == ":" || $0 == " " }
      message = Self.sentence(text[..<range.lowerBound])
      resolution = Self.sentence(way)
    } else {
      message = Self.sentence(text[...])
      resolution = "\(name) --help shows how it is called"
    }
  }

  /// Writes it to standard error.
  func write() {
    StandardError.write(LogRecord(message, .error, code: "usage", resolution: resolution, at: LocalTime.now))
  }

  /// The commands that the first words name, and the type of the last of them.
  private static func command(of arguments: [String]) -> (path: [String], type: any ParsableCommand.Type) {
    var path = ["libre"]
    var type: any ParsableCommand.Type = Libre.self
    for word in arguments {
      let next = type.configuration.subcommands.first {
        $0._commandName == word || $0.configuration.aliases.contains(word)
      }
      guard let next else { break }
      path.append(word)
      type = next
    }
    return (path, type)
  }

  private static func names(of types: [any ParsableCommand.Type]) -> [String] { types.map { $0._commandName } }

  /// The long options in a command's help, and those that every command has.
  private static func options(of type: any ParsableCommand.Type) -> Set<String> {
    let help = Libre.helpMessage(for: type, columns: 1_000)
    var names: Set<String> = ["--help", "--version", "--help-hidden", "--generate-completion-script"]
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      let option = line.drop { $0 == " " }.split(separator: "  ", maxSplits: 1).first ?? ""
      for word in option.split(whereSeparator: { " ,/<=[".contains($0) }) where word.hasPrefix("--") {
        names.insert(String(word))
      }
    }
    return names
  }

  /// `--store` of `--store=x`.
  private static func name(of option: String) -> String { String(option.prefix { $0 != "=" }) }

  /// In lower case and without a full stop, as all messages are. Only the parser's own begin with a capital; ours may
  /// begin with what the user wrote.
  private static func sentence(_ text: Substring) -> String {
    let bare = text.hasSuffix(".") ? text.dropLast() : text
    guard let word = bare.split(separator: " ").first, parserWords.contains(word) else { return String(bare) }
    return word.lowercased() + bare.dropFirst(word.count)
  }

  private static let parserWords: Set<Substring> = [
    "Missing", "Unexpected", "Unknown", "The", "Value", "Invalid", "Multiple", "Cannot", "Couldn't",
  ]
}

/// Words that a mistyped one may have meant.
private enum Similarity {
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
