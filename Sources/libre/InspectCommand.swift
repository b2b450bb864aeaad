// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LibreDocuments
import LibreKit

struct InspectCommand: CommandWithDocument {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the memory map of one dump byte by byte, even of a damaged one.",
    discussion: """
      Examples:
        libre inspect dump.bin
        libre inspect --input-format hex - < pasted.txt
        libre inspect --json dump.bin | jq '.history[] | [.minute, .raw.glucose]'
      """)

  @Argument(help: .value("file", "A dump file, or - for standard input."), completion: .file())
  var file: String

  @OptionGroup var document: DocumentOption
  @OptionGroup var about: InputOptions
  @OptionGroup var global: GlobalOptions

  var inputPath: String? { file }

  func execute(_ session: Session) throws {
    let decoder = DumpDecoder(options: try about.decodeOptions())
    session.remark(ifPipe: file)
    let dump = try decoder.open(file)
    let image = try decoder.image(in: dump)
    let map = MemoryMapListing(of: image, path: file, format: dump.format)
    if json { return try session.write { MemoryMapJSON.write(map, to: &$0) } }
    try session.write(MemoryMapText(style: session.style).text(of: map))
  }
}
