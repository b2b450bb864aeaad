// SPDX-License-Identifier: Apache-2.0

/// The arguments of the process.
package enum ProcessArguments {
  /// All of them, the name of the program first. Swift's own list replaces bytes that are not UTF-8, and a file of such a
  /// name could not be opened; here they stay, as in every path (`FileNameText`).
  package static var all: [String] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { String(fileName: $0) } }
  }
}
