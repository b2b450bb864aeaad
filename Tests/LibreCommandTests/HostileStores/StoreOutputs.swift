// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import Foundation
import HostSystem
import LibreKit

@testable import GlucoseServer
@testable import libre

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The outputs of all commands that read a store, run in this process: thousands of stores cannot have a process for
/// each of thirty commands. Standard output and standard error are files meanwhile, so it needs a process of its own.
final class StoreOutputs {
  struct Output: Hashable {
    let command: String
    let status: Int32
    let text: [UInt8]
  }

  /// Commands whose output is the same each time for one store, except where it says how long ago something was.
  static let commands: [[String]] = [
    ["latest"], ["latest", "--json", "--calibration", "user"],
    ["history", "--from", "all", "--ring", "all", "--finger-sticks", "--ndjson"],
    ["history", "--from", "all", "--ring", "all", "--finger-sticks", "--csv"],
    ["history", "--from", "all", "--limit", "60"], ["stats", "--from", "all", "--json"],
    ["stats", "--from", "all", "--by", "sensor", "--unit", "mmol/L"],
    ["plot", "--from", "2024-05-01", "--to", "2024-05-12", "--width", "80"],
    ["report", "--from", "all", "--svg", "-", "--no-input"], ["sensors"], ["sensors", "--json"], ["sensor", "show"],
    ["imports"], ["imports", "--json"], ["meters", "--json"], ["status"],
    ["status", "--json"], ["compare", "--from", "all", "--json"], ["outbox", "list", "--json"],
    ["sync", "--dry-run", "--json"], ["export", "--format", "csv", "--from", "all"],
    ["export", "--format", "libreview", "--from", "all"], ["export", "--format", "fhir", "--from", "all"],
  ]

  /// Requests to the server, which has the store's values.
  private static let requests = [
    "/api/v1/entries.json?count=1000&find[date][$gte]=0", "/api/v1/entries/mbg.json?count=1000&find[date][$gte]=0",
    "/api/v1/treatments.json?count=100&find[created_at][$gte]=2000-01-01", "/pebble?count=3", "/metrics",
    "/latest.json", "/api/v2/properties", "/api/v1/status.json", "/sgv.json?count=24", "/",
  ]

  private let file: Int32

  /// Sends both streams of this process to a file below a directory.
  init(in directory: String) {
    file = open("\(directory)/output", O_RDWR | O_CREAT | O_TRUNC, 0o600)
    precondition(file >= 0 && dup2(file, STDOUT_FILENO) >= 0 && dup2(file, STDERR_FILENO) >= 0)
  }

  /// Runs a command on a store.
  func output(of words: [String], store: String) async -> Output {
    ftruncate(file, 0)
    lseek(file, 0, SEEK_SET)
    let arguments = words + ["--store", store]
    var status: Int32 = 0
    do {
      let (path, type) = Libre.command(of: arguments)
      var command = try type.parseAsRoot(Array(arguments.dropFirst(path.count - 1)))
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      status = (error as? ExitCode)?.rawValue ?? Libre.exitCode(for: error).rawValue
    }
    return Output(command: words.joined(separator: " "), status: status, text: contents())
  }

  private func contents() -> [UInt8] {
    let count = Int(lseek(file, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, count, 0) }
    return Array(bytes.prefix(max(0, got)))
  }

  func all(store: String) async -> [Output] {
    var outputs: [Output] = []
    for command in Self.commands { outputs.append(await output(of: command, store: store)) }
    return outputs + served(store: store)
  }

  /// Returns the server's answers.
  private func served(store path: String) -> [Output] {
    let stored = StoredValues(path: path, calibration: .factory, ignoredSources: [], unit: .milligramsPerDecilitre)
    guard let snapshot = try? stored.snapshot(now: LocalTime.now) else {
      return [Output(command: "serve", status: 74, text: [])]
    }
    let core = ServerCore(access: AccessRules(), unit: .milligramsPerDecilitre)
    return Self.requests.map { target in
      let request = ServerRequest(method: "GET", target: target, headers: [(name: String, value: String)]())
      let answer = core.answer(to: request, from: snapshot, now: LocalTime.now, store: stored)
      return Output(command: "serve \(target)", status: Int32(answer?.status ?? 0), text: answer?.body ?? [])
    }
  }
}

extension StoreOutputs.Output {
  /// The output without times of today, at which it was made: the store has older ones.
  var steady: StoreOutputs.Output {
    let today = String(LocalTime.now.rfc3339.prefix(11))
    let text = String(decoding: text, as: UTF8.self).components(separatedBy: today)
    let steady = text.prefix(1) + text.dropFirst().map { String($0.dropFirst(9)) }
    return StoreOutputs.Output(command: command, status: status, text: Array(steady.joined(separator: "now").utf8))
  }

  /// Returns in words what must not be in it, whatever the store contains; nil for an output without fault.
  var fault: String? {
    if !command.hasPrefix("serve"), ![0, 64, 65, 66, 69, 73, 74, 75, 77, 78].contains(status) {
      return "status \(status)"
    }
    // A check names rows by their keys, whatever those are.
    if command != "store check", let number = impossibleNumber { return number }
    // Data for programs may have any character of a name; a table and a message must not.
    let isData = ["--csv", "export", "serve", "report"].contains { command.contains($0) }
    return isData ? nil : controlCharacter
  }

  /// C's searches, because they take most of the time of a run.
  private func found<Result>(_ search: (UnsafePointer<CChar>) -> Result) -> Result {
    let isClean = text.withUnsafeBytes { $0.baseAddress.map { memchr($0, 0, text.count) } == nil }
    return ((isClean ? text : text.map { $0 == 0 ? 1 : $0 }) + [0]).withUnsafeBytes {
      search($0.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
    }
  }

  private static let controls = String(
    String.UnicodeScalarView(((1...0x1F).filter { $0 != 9 && $0 != 10 } + [0x7F]).map { Unicode.Scalar(UInt8($0)) }))

  private var controlCharacter: String? {
    found { strpbrk($0, Self.controls) == nil ? nil : "a control character" }
  }

  private static let bounds: [(key: String, range: ClosedRange<Double>)] = [
    ("\"glucose_mg_dl\":", 0.0...1_000), ("\"glucose_mmol_l\":", 0.0...56), ("\"model_glucose_mg_dl\":", -1e6...1e6),
    ("\"temperature_c\":", -100.0...200), ("\"sgv\":", 0.0...1_000), ("\"mbg\":", 0.0...1_000),
    ("\"glucose\":", 0.0...65_535), ("\"mean_mg_dl\":", 0.0...1_000), ("\"value\":", -1e6...1e6),
  ]

  private static let impossibleWords = [
    " inf ", "inf.0", "inf mg", "-inf", ": inf", ":inf", ",inf", " nan ", "nan mg", ": nan", ":nan", ",nan", "Infinity",
    "1e+",
  ]

  private var impossibleNumber: String? {
    found { start in
      for word in Self.impossibleWords where strstr(start, word) != nil { return "the word '\(word)'" }
      for (key, range) in Self.bounds {
        var place = start
        while let found = strstr(place, key) {
          place = UnsafePointer(found) + key.utf8.count
          // Reads a number after spaces; nothing for null.
          var end: UnsafeMutablePointer<CChar>?
          let value = strtod(place, &end)
          if let end, UnsafePointer(end) > place, !range.contains(value) { return "\(key) \(value)" }
        }
      }
      return nil
    }
  }
}
