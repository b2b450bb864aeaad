// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DumpFormats
import LibreDocuments
import LibreKit

struct FormatsCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the formats of dumps and of histories.",
    discussion: """
      Examples:
        libre formats
        libre decode --input-format hex dump.txt
      """)

  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    try session.write("\(session.style.bold("Dumps"))  libre decode, inspect, convert, import\n")
    try session.write(
      list: Registry.dumpFormats.map {
        ($0.name, "\($0 is any DumpWriter ? "read, write" : "read       ")  \($0.summary)")
      })
    try session.write("\n\(session.style.bold("Histories"))  libre import, export\n")
    try session.write(list: Registry.historyFormats.map { ($0.name, "\($0.use)  \($0.summary)") })
  }
}
