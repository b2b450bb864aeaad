// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// One entry point for untrusted bytes: its first inputs, and the properties that hold for every input.
///
/// `tools/Fuzz` gives it millions of inputs by libFuzzer, the tests of this directory a few hundred from a fixed seed.
struct FuzzTarget: Sendable {
  /// How it is asked for; inputs that made it fail are kept as files whose names begin with it and a dash.
  let name: String
  /// Inputs that are as they should be, made of simulated sensors: what is changed to get others.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Folders of the repository whose files are seeds, too.
  var folders: [String] = []
  /// What a format's parser looks for, which bytes drawn at random seldom are.
  var words: [String] = []
  /// Longer inputs are not tried: they cost time and show nothing more.
  var longest = 4_096
  /// How many changed inputs the tests try in `make full`; other runs try a tenth.
  var testRuns = 300
  /// Throws `OracleFailure` if something does not hold. A trap is a failure, too.
  let run: @Sendable ([UInt8]) throws -> Void

  /// Seeds with their names, those of files after them.
  func allSeeds() throws -> [(name: String, bytes: [UInt8])] {
    var all = try seeds().enumerated().map { (name: "seed-\($0.offset)", bytes: $0.element) }
    for folder in folders {
      let place = Repository.root.appendingPathComponent(folder)
      for file in try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
      where !file.hasSuffix(".json") {
        all.append((file, [UInt8](try Data(contentsOf: place.appendingPathComponent(file)))))
      }
    }
    return all
  }
}

/// A property that should hold for any input, but does not for this one.
struct OracleFailure: Error, CustomStringConvertible {
  let description: String
}

/// Throws `OracleFailure` unless `holds`.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws(OracleFailure) {
  if !holds { throw OracleFailure(description: rule()) }
}

/// The value; throws `OracleFailure` for nil.
func require<Value>(_ value: Value?, _ rule: @autoclosure () -> String) throws(OracleFailure) -> Value {
  guard let value else { throw OracleFailure(description: rule()) }
  return value
}
