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

  /// The functions that we call: pointers in the structure of our `shim.h`.
  func functions() throws -> [String] {
    try shim().matches(of: /\(\*([A-Za-z0-9_]+)\)\(/).map { String($0.1) }
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
