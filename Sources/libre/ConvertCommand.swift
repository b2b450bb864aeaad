// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import CommandSupport
import DumpFormats
import HostSystem
import LibreDocuments
import LibreKit

struct ConvertCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "convert", "Write a dump in another format.",
    discussion: """
      Data that the new format cannot hold (UID, patch info, time) is left out and named on standard error. A dump with \
      missing blocks needs a format that can mark them. A file that holds more than the new one is replaced only with --force.

      With --lines, each line of a file or pipe of any length, also compressed with gzip, is converted like a file of its own, \
      to a libre.dump/1 on one line. A line that cannot be read is reported and left out.

      Examples:
        libre convert memory.bin --uid E007A00001234567 --out memory.hex
        libre convert proxmark.json --to flipper > sensor.nfc
        libre convert libre2.nfc --decrypt --to raw --out plain.bin
        libre convert archive.gz --lines --out archive.ndjson
      """)

  @Argument(help: .value("file", "A dump file, or - for standard input."), completion: .file())
  var file: String

  @Option(
    help: .value("format", "Output format, one of \(DumpEncoder.names). Default: from the extension of --out."),
    completion: .dumpWriters)
  var to: String?

  @Option(help: .value("file", "Output file, - for standard output."), completion: .file())
  var out = "-"

  @Flag(help: "Convert each line like a file of its own, to one line of the format json.")
  var lines = false

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
    if lines {
      try refuse(
        if: about.isAboutOneMemory,
        "--read-at, --uid, --patch-info and --dump are about one memory, but --lines converts several. Try: remove one of them"
      )
      if let to, DumpEncoder.writer(named: to)?.name != ReadingDump().name {
        throw ValidationError("--lines writes only the format json. Try: remove --to \(to)")
      }
      return
    }
    if writer != nil { return }
    guard let to else {
      let extensions = Catalogue.standard.dumpWriters.compactMap { writer in
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

  func execute(_ session: Session) throws -> Int32 {
    if lines { return try convertLines(session) }
    try convertFile(session)
    return 0
  }

  private func convertFile(_ session: Session) throws {
    guard let writer else { preconditionFailure("validated before") }
    let decoder = DumpDecoder(options: try about.decodeOptions())
    session.remark(ifPipe: file)
    let dump = try decoder.open(file)
    let image = decrypt ? try decoder.plainImage(in: dump) : try decoder.image(in: dump)
    let bytes = try DumpEncoder.file(of: image, as: writer)
    try force.write(dump: bytes, to: out, session)
    let losses = writer.losses(of: image).map(\.text)
    if losses.isEmpty { return }
    session.remark("the format \(writer.name) cannot hold \(losses.joined(separator: ", ")), which was left out")
  }

  /// Converts each line, and returns the highest exit status of those that fail. Only errors of the output are thrown.
  private func convertLines(_ session: Session) throws(LibreError) -> Int32 {
    if out != "-" { try force.checkReplacement(of: out) }
    let decoder = DumpDecoder(options: try about.decodeOptions())
    var parts = DumpParts(
      InputFiles([file], recursive: false, session: session), decoder: decoder, lines: .always, all: false)
    let output = try OutputFile(out, session: session)
    var progress = RunProgress(session, word: "converted", isBatch: true)
    progress.begin(file)
    var status: Int32 = 0
    while let part = parts.next() {
      for (line, image) in decoder.images(in: part, decrypting: decrypt) {
        do throws(LibreError) {
          let text = try DumpEncoder.line(of: try image.get())
          progress.count(isRefused: false, isLine: true)
          try output.write(text)
        } catch {
          if error.cause is OutputError { throw error }
          progress.clear()
          progress.count(isRefused: true, isLine: line != nil)
          Session.report(error, input: file, line: line)
          status = max(status, error.exitStatus)
        }
      }
      // A line from a pipe is not kept back until more come.
      try output.flush()
    }
    // An output without a line would only replace what is there.
    if progress.hasGood || status == 0 { try output.finish() }
    progress.end()
    return status
  }
}

struct FormatsCommand: CommandWithDocument {
  static let configuration = CommandConfiguration(
    "formats", "List the formats of dumps and of histories.",
    discussion: """
      Examples:
        libre formats
        libre formats --json | jq -r '.dumps[] | select(.writes) | .name'
      """)

  @OptionGroup var document: DocumentOption
  @OptionGroup var global: GlobalOptions

  func execute(_ session: Session) throws {
    if json { return try session.write { FormatsJSON.write(.standard, to: &$0) } }
    try session.write("\(session.style.bold("Dumps"))  libre decode, inspect, convert, import\n")
    try session.write(list: Catalogue.standard.listedDumps.map(Self.line))
    try session.write("\n\(session.style.bold("Histories"))  libre import, export\n")
    try session.write(list: Catalogue.standard.listedHistories.map(Self.line))
  }

  private static func line(_ format: Catalogue.ListedFormat) -> (name: String, summary: String) {
    let uses = [format.isRead ? "read" : nil, format.isWritten ? "write" : nil]
    let use = uses.compactMap(\.self).joined(separator: ", ")
    let padding = String(repeating: " ", count: "read, write  ".count - use.count)
    return (format.name, use + padding + format.summary)
  }
}
