// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Compiles our declarations together with a library's real headers.
struct HeaderComparison {
  static let curl = HeaderComparison(module: "CCurl", header: "curl/curl.h", package: "libcurl4-openssl-dev")

  /// The module with our shim.h, the library's header as it is included, and the package that brings it.
  let module: String
  let header: String
  let package: String
  /// Where the library's headers find each other, if that is not where all headers are.
  var directory: String?

  static let sources = Repository.root.appending(path: "Sources")

  func shim() throws -> String {
    try String(contentsOf: Self.sources.appending(path: "\(module)/shim.h"), encoding: .utf8)
  }

  /// A structure of the library's functions under the names of ours, so that the compiler compares their types, but for
  /// those that are compared in another way.
  func functions(of structure: String, prefix: String = "", except others: Set<String>) throws -> String {
    let names = try shim().matches(of: /^ .*\(\*([A-Za-z0-9_]+)\)\(/.anchorsMatchLineEndings()).map { String($0.1) }
    try #require(others.isSubset(of: names))
    let lines = names.filter { !others.contains($0) }.map { ".\($0) = \(prefix)\($0),\n" }
    return "const struct \(structure) functions = {\n\(lines.joined())};\n"
  }

  /// Compares each of our numbers with the library's of the name that follows from ours.
  func numbers(_ theirs: (String) -> String) throws -> String {
    let names = try shim().matches(of: /#define (LIBRE_[A-Z0-9_]+) -?[0-9]/).map { String($0.1) }
    try #require(!names.isEmpty)
    return "#define EQUAL(OURS, THEIRS) _Static_assert((long long)OURS == (long long)THEIRS, #THEIRS)\n"
      + names.map { "EQUAL(\($0), \(theirs($0)));\n" }.joined()
  }

  /// The compiler's messages about `source`, which may include our `shim.h`.
  func compile(_ source: String) throws -> String {
    let folder = try TemporaryDirectory()
    try source.write(toFile: folder.path("comparison.c"), atomically: true, encoding: .utf8)
    do {
      return try folder.run(
        "clang",
        ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", Self.sources.appending(path: module).path]
          + (directory.map { ["-isystem", $0] } ?? []) + ["comparison.c"])
    } catch let failure as ProgramRun.Failure {
      return failure.output
    }
  }

  /// The header is installed.
  var isThere: Bool {
    Installed.isCI || (try? compile("#include <\(header)>\n")) == ""
  }
}

extension Trait where Self == ConditionTrait {
  static func needsHeaders(_ headers: HeaderComparison) -> Self {
    .enabled("\(headers.package) is not installed") { headers.isThere }
  }
}
