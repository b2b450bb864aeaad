// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import DumpFormats
import HostSystem
import LibreDocuments
import LibreKit

struct ConvertCommand: LibreCommand {
  static let configuration = CommandConfiguration(
    "convert", "Write a dump in another format, or without what names its sensor.",
    discussion: """
      Data that the new format cannot hold (UID, patch info, time) is left out and named on standard error. A dump with \
      missing blocks needs a format that can mark them. A file that holds more than the new one is replaced only with --force.

      With --lines, each line of a file or pipe of any length, also compressed with gzip, is converted like a file of its own, \
      to a libre.dump/1 on one line; several files become a line each. What cannot be read is reported and left out.

      With --anonymous, a dump or a trace can be given away: UID and serial number are invented, the same for a sensor within \
      a run, and times, comments and names are left out. Checksums, encryption and damage stay; so do glucose, temperatures, \
      age, patch info and the factory's numbers, by which other dumps of the sensor match. A memory that cannot be decrypted \
      is refused, because its key has the UID; in a trace it becomes zeros.

      Examples:
        libre convert memory.bin --uid E007A00001234567 --out memory.hex
        libre convert proxmark.json --to flipper > sensor.nfc
        libre convert libre2.nfc --decrypt --to raw --out plain.bin
        libre convert archive.gz --lines --out archive.ndjson
        libre convert monday.nfc friday.nfc --anonymous --out given.ndjson
        libre convert scan.trace --anonymous --out given.trace
      """)

  @Argument(help: .value("file", "Dump files, or - for standard input."), completion: .file())
  var files: [String]

  @Option(
    help: .value(
      "format",
      "Output format, one of \(DumpEncoder.names), or trace with --anonymous. Default: from the extension of --out."),
    completion: .list(Catalogue.standard.dumpWriters.map(\.name) + [TraceDump().name]))
  var to: String?

  @Option(help: .value("file", "Output file, - for standard output."), completion: .file())
  var out = "-"

  @Flag(help: "Convert each line like a file of its own, to one line of the format json.")
  var lines = false

  @Flag(help: "Decrypt an encrypted memory; this needs its UID and patch info.")
  var decrypt = false

  @Flag(help: "Invent UID and serial number, and leave out times and names.")
  var anonymous = false

  @OptionGroup var force: ForceOption
  @OptionGroup var about: InputOptions
  @OptionGroup var global: GlobalOptions

  var inputPath: String? { files.count == 1 ? files[0] : nil }
  private var areSeveral: Bool { lines || files.count > 1 }
  private var isTrace: Bool { to.map { $0 == TraceDump().name } ?? out.lowercased().hasSuffix(".trace") }

  private var writer: (any DumpWriter)? {
    to.map(DumpEncoder.writer(named:)) ?? DumpEncoder.writer(byExtensionOf: out)
  }

  func validate() throws {
    try refuse(if: anonymous && about.readAt != nil, "--anonymous leaves all times out. Try: remove --read-at")
    try refuse(
      if: about.isAboutOneMemory && (areSeveral || isTrace),
      "--read-at, --uid, --patch-info and --dump are about one memory, not for several files, --lines or a trace. Try: remove one of them"
    )
    if areSeveral {
      let json = ReadingDump().name
      return try refuse(
        if: DumpEncoder.writer(named: to ?? json)?.name != json,
        "--lines and several files give only the format json. Try: remove --to")
    }
    try refuse(if: isTrace && !anonymous, "libre only writes a trace that it makes anonymous. Try: add --anonymous")
    if writer != nil || isTrace { return }
    let problem =
      to.map { "cannot write the format \($0)" }
      ?? (out == "-" ? "the format is missing" : "the extension of \(out) is not one of \(DumpEncoder.extensions)")
    throw ValidationError("\(problem). Try: --to with one of \(DumpEncoder.names)")
  }

  func execute(_ session: Session) throws -> Int32 {
    var anonymiser = anonymous ? Anonymiser() : nil
    var status: Int32 = 0
    if areSeveral { status = try convertSeveral(session, &anonymiser) } else { try convertFile(session, &anonymiser) }
    for remark in anonymiser?.remarks ?? [] { session.remark(remark) }
    return status
  }

  private func convertFile(_ session: Session, _ anonymiser: inout Anonymiser?) throws {
    session.remark(ifPipe: files[0])
    if isTrace, let trace = try anonymiser?.transcript(contentsOf: files[0]) {
      return try force.write(dump: trace, to: out, session)
    }
    guard let writer else { preconditionFailure("validated before") }
    let decoder = DumpDecoder(options: try about.decodeOptions())
    let original = try decoder.image(in: try decoder.open(files[0]), decrypting: decrypt)
    let image = try anonymiser?.anonymous(original) ?? original
    let bytes = try DumpEncoder.file(of: image, as: writer)
    try force.write(dump: bytes, to: out, session)
    let losses = writer.losses(of: image).map(\.text)
    if losses.isEmpty { return }
    session.remark("the format \(writer.name) cannot hold \(losses.joined(separator: ", ")), which was left out")
  }

  /// Returns the highest exit status of the lines or files that fail. Only errors of the output are thrown.
  private func convertSeveral(_ session: Session, _ anonymiser: inout Anonymiser?) throws(LibreError) -> Int32 {
    if out != "-" { try force.checkReplacement(of: out) }
    let decoder = DumpDecoder(options: try about.decodeOptions())
    var parts = DumpParts(
      InputFiles(files, recursive: false, session: session), decoder: decoder, lines: lines ? .always : .never,
      all: false)
    let output = try OutputFile(out, session: session)
    var progress = RunProgress(session, word: "converted", isBatch: true)
    var status: Int32 = 0
    while let part = parts.next() {
      if part.isFirst { progress.begin(part.path) }
      for (line, image) in decoder.images(in: part, decrypting: decrypt) {
        do throws(LibreError) {
          let original = try image.get()
          let text = try DumpEncoder.line(of: try anonymiser?.anonymous(original) ?? original)
          progress.count(isRefused: false, isLine: line != nil)
          try output.write(text)
        } catch {
          if error.cause is OutputError { throw error }
          progress.clear()
          progress.count(isRefused: true, isLine: line != nil)
          Session.report(error, input: part.path, line: line)
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
    let use = [(format.isRead, "read"), (format.isWritten, "write")].filter(\.0).map(\.1).joined(separator: ", ")
    let padding = String(repeating: " ", count: "read, write  ".count - use.count)
    return (format.name, use + padding + format.summary)
  }
}
