// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandSupport
import HostSystem
import LibreDocuments
import Logging
import SensorHistory

struct DecodeCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    "decode", "Decode saved sensor memories.",
    discussion: """
      Accepts any dump format (libre formats), also compressed with gzip. A file that fails does not stop the others; the \
      exit status is the highest of all files. A batch with failures ends with one line of totals on standard error; \
      --quiet leaves out the text of errors that have a line of JSON.

      With --ndjson, a file or pipe of JSON lines may have any length: each line gives one line of output at once, a \
      reading or a libre.error/1, both with source.line. The exit status is then 0, unless no line at all can be decoded. With \
      --keep-members each line of output carries the members of its input that libre does not know, such as patient and \
      visit, unchanged in the member input, so that nothing has to be joined by position.

      Examples:
        libre decode dump.bin --read-at 2024-05-02T10:15:00Z
        libre decode --recursive dumps --ndjson --jobs 2 | jq .current
        libre decode --all --ndjson xdrip.sqlite
        libre decode archive.gz --lines --ndjson
        libre decode study.ndjson --ndjson --keep-members | jq '[.input.patient, .current.glucose_mg_dl]'
      """)

  @Argument(help: .value("file", "Dump files, - for standard input, folders with --recursive."), completion: .file())
  var files: [String]

  @OptionGroup var input: InputOptions
  @OptionGroup var output: ReadingOutputOptions

  @Flag(name: .shortAndLong, help: "Decode all files in folders, in the order of their paths.")
  var recursive = false

  @Flag(help: "Decode all memories in each file, in their order.")
  var all = false

  @Flag(
    inversion: .prefixedNo,
    help: """
      Decode each line like a file of its own. Default: only JSON lines, with --ndjson or --all, and without options \
      about one memory.
      """)
  var lines: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Exit with status 0 even if memories cannot be decoded. Default: only for lines with --ndjson, where each error \
      has a line, and only if one of them can be decoded.
      """)
  var keepGoing: Bool?

  @Flag(
    help: """
      With --ndjson, decode each line like a file of its own, and write the members of each line that libre does not know \
      into the member input of its answer.
      """)
  var keepMembers = false

  @Option(
    help: .value(
      "number", "Number of threads that decode; the output is always in order. Default: the number of processors."))
  var jobs: Int?

  @Flag(help: "Decode samples even if the checksum of the memory's body is wrong, and mark the reading.")
  var salvage = false

  @OptionGroup var calibration: CalibrationOption

  @Flag(help: "Date and complete readings with what the store knows about their sensors; nothing is stored.")
  var withStore = false

  @OptionGroup var store: StoreOptions
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    try refuse(
      if: all && input.readAt != nil,
      "--read-at is one time, but --all decodes memories of several times. Try --dump with it.")
    try refuse(
      if: keepMembers && output.output.format != .ndjson,
      "--keep-members works only with --ndjson. Try: --ndjson --keep-members")
    try refuse(if: keepMembers && lines == false, "--keep-members and --no-lines exclude each other. Try one of them.")
    try refuse(
      if: hasLines && input.isAboutOneMemory,
      "--read-at, --uid, --patch-info and --dump are about one memory, but \(keepMembers ? "--keep-members" : "--lines") decodes several. Try: remove one of them"
    )
    try check(jobs, of: "--jobs", allowed: "a number from 1 to 256", (1...256).contains)
    try refuse(if: all && input.dump != nil, "--all and --dump exclude each other. Try one of them.")
  }

  /// Only errors that stop all inputs are thrown: of the configuration, or standard output.
  func execute(_ session: Session) throws -> Int32 {
    let known = withStore ? try StoreFile.openForReading(try session.storePath()) : nil
    let options = try input.decodeOptions(salvage: salvage, calibration: calibration.choice(session))
    let decoder = StoreDecoder(decoder: DumpDecoder(options: options), store: known, calibration: options.calibration)
    let writer = ResultWriter(
      output: output, isList: isList, session: session, keepGoing: keepGoing, keepsMembers: keepMembers,
      isBrief: session.isQuiet)
    // --quiet leaves out the errors of a batch that have documents.
    let hasDocuments = output.output.format == .json || output.output.format == .ndjson
    let progress = RunProgress(
      session, word: "decoded", isBatch: isList || separation != .never, reportsErrors: !hasDocuments)
    let parts = DumpParts(
      InputFiles(files, recursive: recursive, session: session), decoder: decoder.decoder, lines: separation, all: all)
    try writer.begin()
    let results = try OrderedWork.run(
      jobs: isList || separation != .never ? jobs ?? OrderedWork.processorCount : 1, from: parts,
      into: CountedResults(writer: writer, progress: progress),
      next: { $0.next() },
      work: { part in
        (part, answers: decoder.answers(to: part).map { ($0, writer.document(of: $0, path: part.path)) })
      },
      take: { results, done throws(LibreError) in try results.add(done.answers, to: done.0) })
    try results.writer.end()
    var totals = results.progress
    totals.end()
    return results.writer.status
  }

  private var isList: Bool {
    all || hasLines || files.count > 1 || recursive && files.contains(where: FileSystem.isFolder)
  }

  /// True if each line is decoded like a file of its own, whatever it is.
  private var hasLines: Bool { lines == true || keepMembers }

  /// The rule by which lines are decoded one by one. Facts about one memory are not facts about the memory in each line.
  private var separation: DumpLines {
    if hasLines { return .always }
    if lines == false { return .never }
    return (all || output.output.format == .ndjson) && !input.isAboutOneMemory ? .detected : .never
  }
}

private struct CountedResults {
  var writer: ResultWriter
  var progress: RunProgress

  mutating func add(_ answers: [(answer: DumpAnswer, document: [UInt8])], to part: DumpPart) throws(LibreError) {
    let path = part.path
    if part.isFirst {
      progress.begin(path)
      writer.session.log(.info, "decoding", ["file": path])
    }
    for (answer, document) in answers {
      progress.clear()
      if case .success(let reading) = answer.result { writer.session.log(reading) }
      try writer.add(answer, document: document, path: path)
      let isRefused = if case .failure = answer.result { true } else { false }
      progress.count(isRefused: isRefused, isLine: answer.line != nil)
    }
    try writer.flush()
  }
}

struct InspectCommand: CommandWithDocument {
  static let configuration = CommandConfiguration(
    "inspect", "Show the memory map of one dump byte by byte, even of a damaged one.",
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
