// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import TextFormats

/// An error in the command line, in the form of all other errors: the reason, then a line `Try: …`.
struct UsageReport {
  let message: String
  let resolution: String

  /// Checks for an unknown command first, then for an unknown option, then uses the parser's error. The parser checks
  /// values before it looks for unknown options; after a mistyped option its error about a value would be misleading.
  init(of error: any Error, arguments: [String]) {
    let (path, type) = Libre.command(of: arguments)
    let rest = arguments.dropFirst(path.count - 1).prefix { $0 != "--" }
    let name = path.joined(separator: " ")
    if !type.configuration.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-") {
      let nearest = Similarity.nearest(to: word, among: type.configuration.subcommands.map { $0._commandName })
      message = "unknown command '\(SafeText.excerpt(word))'"
      resolution = Self.suggestion(nearest.map { "\(name) \($0)" }) ?? "\(name) --help"
      return
    }
    let known = Self.options(of: type)
    if Libre.exitCode(for: error) == .success, let name = Self.misread(in: arguments) {
      message = "unknown option '\(SafeText.excerpt(name))'"
      resolution = "write ./\(SafeText.excerpt(name)) if that is a file"
      return
    }
    if let option = rest.first(where: { $0.hasPrefix("--") && !known.contains(Self.name(of: $0)) }) {
      let long = known.filter { $0.hasPrefix("--") }
      let nearest = Similarity.nearest(to: Self.name(of: option), among: long.sorted())
      // Only the name: its value may be a secret.
      message = "unknown option '\(SafeText.excerpt(Self.name(of: option)))'"
      resolution = Self.suggestion(nearest) ?? "\(name) --help"
      return
    }
    let text = Libre.message(for: error)
    if let range = text.ranges(of: ". Try").first ?? text.ranges(of: "? Try").first {
      let fix = text[range.upperBound...].drop { $0 == ":" || $0 == " " }
      message = Self.sentence(text[..<range.lowerBound])
      resolution = Self.sentence(fix)
    } else {
      message = Self.sentence(text[...])
      resolution = "\(name) --help"
    }
  }

  /// The word for which the parser shows its help although it is the name of a file that begins with a dash, as in
  /// `-q.hex`: it takes the letters for options. nil if help was asked for.
  static func misread(in arguments: [String]) -> String? {
    let (path, type) = Libre.command(of: arguments)
    let words = arguments.dropFirst(path.count - 1).prefix { $0 != "--" }
    let known = options(of: type)
    if !Set(words).isDisjoint(with: ["-h", "-help", "--help", "--help-hidden", "--version"]) { return nil }
    return words.first { word in
      word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("h")
        && !word.dropFirst().allSatisfy { $0 == "h" || known.contains("-\($0)") }
    }
  }

  func write() {
    StandardError.write(LogRecord(message, .error, code: "usage", resolution: resolution, at: LocalTime.now))
  }

  private static func suggestion(_ nearest: [String]) -> String? {
    nearest.isEmpty ? nil : "did you mean \(nearest.joined(separator: " or "))?"
  }

  /// The options in a command's help, and those of every command.
  private static func options(of type: any ParsableCommand.Type) -> Set<String> {
    let help = Libre.helpMessage(for: type, includeHidden: true, columns: 1_000)
    var names: Set<String> = ["--help", "--version", "--help-hidden", "--generate-completion-script"]
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      let option = line.drop { $0 == " " }.split(separator: "  ", maxSplits: 1).first ?? ""
      for word in option.split(whereSeparator: { " ,/<=[".contains($0) }) where word.hasPrefix("-") {
        names.insert(String(word))
      }
    }
    return names
  }

  private static func name(of option: String) -> String { String(option.prefix { $0 != "=" }) }

  /// The text in the form of all messages. Only the parser's own begin with a capital; ours may begin with input.
  private static func sentence(_ text: Substring) -> String {
    let bare = text.hasSuffix(".") ? text.dropLast() : text
    guard let word = bare.split(separator: " ").first, parserWords.contains(word) else { return String(bare) }
    return word.lowercased() + bare.dropFirst(word.count)
  }

  private static let parserWords: Set<Substring> = [
    "Missing", "Unexpected", "Unknown", "The", "Value", "Invalid", "Multiple", "Cannot", "Couldn't",
  ]
}

private enum Similarity {
  /// The candidates that begin with the word, else those at the minimum distance, at most one change per three letters.
  static func nearest(to word: String, among candidates: [String]) -> [String] {
    let completions = candidates.filter { $0.hasPrefix(word) }
    if !completions.isEmpty, word.count > 1 { return completions }
    let distances = candidates.map { (name: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
    guard let minimum = distances.map(\.distance).min(), minimum <= max(1, word.utf8.count / 3) else { return [] }
    return distances.filter { $0.distance == minimum }.map(\.name)
  }

  /// The number of single-letter changes from one word to another; a swap of neighbours is one change.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, wanted) in other.enumerated() {
        var minimum = min(next[column] + 1, last[column + 1] + 1, last[column] + (letter == wanted ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == wanted {
          minimum = min(minimum, before[column - 1] + 1)
        }
        next.append(minimum)
      }
      (before, last) = (last, next)
    }
    return last[other.count]
  }
}
