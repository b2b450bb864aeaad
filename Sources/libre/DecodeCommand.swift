// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CGMModel
import LibreKit
import Logging

struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decode saved sensor memories.",
    discussion: """
      Takes any dump format (libre formats). A file that fails does not stop the others; the exit status is the highest \
      of theirs.

      Examples:
        libre decode dump.bin --read-at 2024-05-02T10:15:00Z
        libre decode --recursive dumps --ndjson | jq .current
      """)

  @Argument(help: ArgumentHelp("Dump files, - for standard input, folders with --recursive.", valueName: "file"))
  var files: [String]

  @OptionGroup var input: InputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var global: GlobalOptions

  @Flag(name: .shortAndLong, help: "Decode all files in folders, in the order of their paths.")
  var recursive = false

  @Flag(help: "Take samples from a body whose checksum does not hold, and mark the reading.")
  var salvage = false

  @Option(help: ArgumentHelp(CalibrationEntry.help, valueName: "model"))
  var calibration: String?

  func run() throws {
    let worst: Int32
    do {
      worst = try decodeAll()
    } catch let error {
      Session.report(error)
      worst = error.exitStatus
    }
    if worst != 0 { throw ExitCode(worst) }
  }

  /// Decodes every input and returns the highest exit status of theirs.
  ///
  /// Throws only what stops all of them: the configuration, or standard output.
  private func decodeAll() throws(LibreError) -> Int32 {
    let session = try Session(global, flags: calibration.map { [.calibration: $0] } ?? [:])
    var options = try input.decodeOptions()
    options.salvage = salvage
    if let model = CalibrationEntry.model(session.configuration[.calibration].text) { options.calibration = model }
    let decoder = DumpDecoder(options: options)
    var results = ResultWriter(format: output.format, isList: isList, session: session)
    var worst: Int32 = 0
    try results.begin()
    for path in files {
      for (file, failure) in inputs(at: path) {
        session.logger.info("decoding", metadata: ["file": "\(file)"])
        let result = failure.map(Result.failure) ?? Self.decode(file, with: decoder)
        if case .failure(let error) = result {
          Session.report(error, input: file)
          worst = max(worst, error.exitStatus)
        }
        try results.add(result, path: file)
      }
    }
    try results.end()
    return worst
  }

  private static func decode(_ file: String, with decoder: DumpDecoder) -> Result<SensorReading, LibreError> {
    do {
      return .success(try decoder.decode(contentsOf: file))
    } catch {
      return .failure(error)
    }
  }

  /// A file is itself; a folder, if asked for, all files in it; one that cannot be opened comes with the reason.
  private func inputs(at path: String) -> [(file: String, failure: LibreError?)] {
    guard recursive, FileBytes.isFolder(path) else { return [(path, nil)] }
    do {
      return try FileBytes.files(below: path).map { ($0, nil) }
    } catch {
      return [(path, error)]
    }
  }

  private var isList: Bool { files.count > 1 || recursive && files.contains(where: FileBytes.isFolder) }
}
