// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreKit

/// Whether a file may be replaced although something in it is lost.
struct ForceOption: ParsableArguments {
  @Flag(help: "Replace a file even if something in it is lost.")
  var force = false

  /// Throws `output(wouldLose)` if a file holds anything, since nothing of that is in what comes.
  func checkReplacement(of path: String) throws(LibreError) {
    if !force { try FileReplacement.check(path) }
  }

  /// Throws `output(wouldLose)` if dumps in a file are not in the new one, or with less.
  func checkReplacement(of path: String, byDump dump: [UInt8]) throws(LibreError) {
    if !force { try FileReplacement.check(path, by: dump) }
  }
}
