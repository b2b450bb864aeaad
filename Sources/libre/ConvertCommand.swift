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
      Data that the new format cannot hold (UID, patch info, time) is left out and named on standard error. A dump with \
      missing blocks needs a format that can mark them. A file that holds more than the new one is replaced only with --force.

      Examples:
        libre convert memory.bin --uid E007A00001234567 --out memory.hex
        libre convert proxmark.json --to flipper > sensor.nfc
        libre convert libre2.nfc --decrypt --to raw --out plain.bin
      """)

  @Argument(help: ArgumentHelp("A dump file, or - for standard input.", valueName: "file"), completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp(
      "Output format, one of \(DumpEncoder.names). Default: from the extension of --out.", valueName: "format"),
    completion: .dumpWriters)
  var to: String?

  @Option(help: ArgumentHelp("Output file, - for standard output.", valueName: "file"), completion: .file())
  var out = "-"

  @Flag(help: "Decrypt an encrypted memory; this needs its UID and patch info.")
  var decrypt = false

  @OptionGroup var force: ForceOption
  @OptionGroup var about: InputOptions
  @OptionGroup var global: GlobalOptions

  var inputPath: String? { file }

  private var writer: (any DumpWriter)? {
    to.map(DumpEncoder.writer(named:)) ?? DumpEncoder.writer(byExtensionOf: out)
  }

  func validate() throws {
    if writer != nil { return }
    guard let to else {
      let extensions = Registry.dumpWriters.compactMap { writer in
        writer.fileExtension.map { "\(writer.name) (.\($0))" }
      }
      throw ValidationError(
        out == "-"
          ? "the format is missing. Try --to with one of \(DumpEncoder.names)"
          : "the extension of \(out) is not one of \(extensions.joined(separator: ", ")). Try --to with one of \(DumpEncoder.names)"
      )
    }
    throw ValidationError("cannot write the format \(to) of --to. Try one of \(DumpEncoder.names)")
  }

  func execute(_ session: Session) throws {
    guard let writer else { preconditionFailure("validated before") }
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
    session.remark("the format \(writer.name) cannot hold \(losses.joined(separator: ", ")), which was left out")
  }
}
    session.remark(ifPipe: file)
