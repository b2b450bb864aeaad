// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DumpFormats
import LibreKit

struct FormatsCommand: FailingCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the dump formats.",
    discussion: """
      Examples:
        libre formats
        libre decode --input-format hex dump.txt
      """)

  @OptionGroup var global: GlobalOptions

  func execute() throws(LibreError) {
    let session = try Session(global)
    try session.write(
      list: Registry.dumpFormats.map {
        ($0.name, "\($0 is any DumpWriter ? "read, write" : "read       ")  \($0.summary)")
      })
  }
}
