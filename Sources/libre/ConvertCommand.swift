// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import DumpFormats
import LibreKit

struct ConvertCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a dump in another format.",
    discussion: """
      What the new format has no room for (UID, patch info, time) is told on standard error. A format that cannot mark \
      missing blocks refuses a dump that has some. A file that holds more than the new one is replaced only with --force.

      Examples:
        libre convert memory.bin --to hex --uid E007A00001234567 --out memory.hex
        libre convert proxmark.json --to flipper > sensor.nfc
        libre convert libre2.nfc --decrypt --to raw --out plain.bin
      """)

  @Argument(help: ArgumentHelp("A dump file, or - for standard input.", valueName: "file"), completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("One of \(DumpEncoder.names).", valueName: "format"),
    completion: .dumpWriters)
  var to: String

  @Option(help: ArgumentHelp("Where to write; - is standard output.", valueName: "file"), completion: .file())
  var out = "-"

  @Flag(help: "Write an encrypted memory decrypted; its UID and patch info are needed.")
  var decrypt = false

  @OptionGroup var force: ForceOption
  @OptionGroup var about: InputOptions
  @OptionGroup var global: GlobalOptions

  var inputPath: String? { file }

  func validate() throws {
    if DumpEncoder.writer(named: to) == nil {
      throw ValidationError("--to \(to) is no format that can be written. Try one of \(DumpEncoder.names)")
    }
  }

  func execute(_ session: Session) throws {
    guard let writer = DumpEncoder.writer(named: to) else { preconditionFailure("validated before") }
    let decoder = DumpDecoder(options: try about.decodeOptions())
    let dump = try decoder.open(file)
    let image = decrypt ? try decoder.plainImage(in: dump) : try decoder.image(in: dump)
    let bytes = try DumpEncoder.file(of: image, as: writer)
    if out == "-" {
      try session.write(bytes)
    } else {
      try force.checkReplacement(of: out, byDump: bytes)
      try Files.write(bytes, to: out, isPrivate: true)
    }
    let losses = writer.losses(of: image).map(\.text)
    if losses.isEmpty { return }
    session.remark("a \(writer.name) file has no room for \(losses.joined(separator: ", ")), which was left out")
  }
}
