// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import HostSystem
import LibreKit
import Logging
import SampleStore

struct DecodeCommand: CommandWithStore {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decode saved sensor memories.",
    discussion: """
      Accepts any dump format (libre formats), also compressed with gzip. A file that fails does not stop the others; the \
      exit status is the highest of all files.

      Examples:
        libre decode dump.bin --read-at 2024-05-02T10:15:00Z
        libre decode --recursive dumps --ndjson | jq .current
        libre decode --all --ndjson xdrip.sqlite
      """)

  @Argument(
    help: ArgumentHelp("Dump files, - for standard input, folders with --recursive.", valueName: "file"),
    completion: .file())
  var files: [String]

  @OptionGroup var input: InputOptions
  @OptionGroup var output: ReadingOutputOptions
  @OptionGroup var global: GlobalOptions

  @Flag(name: .shortAndLong, help: "Decode all files in folders, in the order of their paths.")
  var recursive = false

  @Flag(help: "Decode all memories in each file, in their order.")
  var all = false

  @Flag(help: "Decode samples even if the checksum of the memory's body is wrong, and mark the reading.")
  var salvage = false

  @OptionGroup var calibration: CalibrationOption

  @Flag(help: "Date and complete readings with what the store knows about their sensors; nothing is stored.")
  var withStore = false

  @OptionGroup var store: StoreOptions
  var flags: [Setting: String] { store.flags.merging(calibration.flags) { $1 } }

  func validate() throws {
    if all, input.readAt != nil {
      throw ValidationError("--read-at is one time, but --all decodes memories of several times. Try --dump with it.")
    }
    if all, input.dump != nil { throw ValidationError("--all and --dump exclude each other. Try one of them.") }
  }

  /// Decodes every input and returns the highest exit status.
  ///
  /// - Throws: only errors that stop all inputs: configuration, or standard output.
  func execute(_ session: Session) throws -> Int32 {
    let known = withStore ? try StoreFile.openForShowing(try session.storePath()) : nil
    var options = try input.decodeOptions()
    options.salvage = salvage
    options.calibration = calibration.choice(session)
    let decoder = StoreDecoder(decoder: DumpDecoder(options: options), store: known, calibration: options.calibration)
    var results = CountedResults(
      ResultWriter(output: output, isList: isList, session: session), RunProgress(session, word: "decoded"))
    try results.writer.begin()
    for entry in InputFiles(files, recursive: recursive) {
      switch entry {
      case .success(let file): try decode(file, with: decoder, into: &results)
      case .failure(let failure):
        results.progress.begin(failure.path)
        try results.add(.failure(.input(failure.error)), path: failure.path)
      }
    }
    try results.writer.end()
    results.progress.end()
    return results.writer.worst
  }

  /// Decodes one file; a failure is a result too.
  ///
  /// - Throws: errors of standard output.
  private func decode(
    _ path: String, with decoder: StoreDecoder, into results: inout CountedResults
  ) throws(LibreError) {
    results.progress.begin(path)
    results.writer.session.logger.info("decoding", metadata: ["file": "\(path)"])
    guard all else {
      return try results.add(Result { () throws(LibreError) in try decoder.decode(contentsOf: path) }, path: path)
    }
    let file: OpenDump
    do {
      file = try decoder.decoder.open(path)
    } catch {
      return try results.add(.failure(error), path: path)
    }
    for (index, result) in decoder.decoder.readings(of: file).enumerated() {
      try results.add(decoder.completed(result), path: path, dump: index + 1)
    }
  }

  private var isList: Bool { all || files.count > 1 || recursive && files.contains(where: FileSystem.isFolder) }
}

/// A writer that also counts results.
private struct CountedResults {
  var writer: ResultWriter
  var progress: RunProgress

  init(_ writer: ResultWriter, _ progress: RunProgress) {
    self.writer = writer
    self.progress = progress
  }

  mutating func add(
    _ result: Result<SensorReading, LibreError>, path: String, dump: Int? = nil
  ) throws(LibreError) {
    progress.clear()
    if case .success(let reading) = result { writer.session.log(reading) }
    try writer.add(result, path: path, dump: dump)
    if case .failure = result { progress.count(isRefused: true) } else { progress.count(isRefused: false) }
  }
}

/// A decoder that completes readings from the store, with `--with-store`.
private struct StoreDecoder {
  let decoder: DumpDecoder
  /// The store; nil so that the same file gives the same output on every machine.
  let store: SensorStore?
  let calibration: CalibrationChoice

  func decode(contentsOf path: String) throws(LibreError) -> SensorReading {
    try completed(try decoder.decode(contentsOf: path))
  }

  func completed(_ result: Result<SensorReading, LibreError>) -> Result<SensorReading, LibreError> {
    result.flatMap { reading in Result { () throws(LibreError) in try completed(reading) } }
  }

  private func completed(_ reading: SensorReading) throws(LibreError) -> SensorReading {
    try store?.complete(reading, calibration: calibration) ?? reading
  }
}
