// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreDocuments
import LibreKit
import TextFormats

/// Writes readings and errors to standard output one by one, in one of the output formats.
struct ResultWriter {
  let format: OutputFormat
  /// True if the input is several files or a directory: JSON is an array even for one result.
  let isList: Bool
  let session: Session
  /// False for only the sensor and its current value.
  let includesSamples: Bool
  /// Characters for the picture below the table; nil for no picture.
  private let characters: TerminalCharacters?
  /// The highest exit status of the failures.
  private(set) var worst: Int32 = 0
  private var count = 0

  init(
    output: ReadingOutputOptions, isList: Bool, session: Session, characters: TerminalCharacters? = nil
  ) {
    self.characters = characters
    format = output.output.format
    includesSamples = !output.noSamples
    self.isList = isList
    self.session = session
  }

  func begin() throws(LibreError) {
    switch format {
    case .csv: try session.write(ReadingCSV.header(unit: session.configuration.unit))
    case .json where isList: try session.write("[")
    case .json, .ndjson, .table: break
    }
  }

  /// Writes one result; `path` is its file and `dump` its number in a file of several, both nil for a sensor.
  ///
  /// A failure is also reported on standard error.
  /// - Throws: errors of standard output.
  mutating func add(
    _ result: Result<SensorReading, LibreError>, path: String?, dump: Int? = nil
  ) throws(LibreError) {
    if case .failure(let error) = result {
      Session.report(error, input: path, dump: dump)
      worst = max(worst, error.exitStatus)
    }
    let unit = session.configuration.unit
    switch (format, result) {
    case (.json, _):
      if isList { try session.write(count == 0 ? "\n  " : ",\n  ") }
      try session.write(json(result, path, dump, indented: true))
      if !isList { try session.write("\n") }
    case (.ndjson, _): try session.write(json(result, path, dump, indented: false) + [0x0A])
    case (.csv, .success(let reading)): try session.write(ReadingCSV.rows(reading, unit: unit))
    case (.table, .success(let reading)):
      try session.write(
        (count == 0 ? "" : "\n")
          + ReadingTable(unit: unit, style: session.style, characters: characters).text(
            of: reading, includesSamples: includesSamples))
    case (.csv, .failure), (.table, .failure): return
    }
    count += 1
  }

  func end() throws(LibreError) {
    if format == .json, isList { try session.write(count == 0 ? "]\n" : "\n]\n") }
  }

  private func json(
    _ result: Result<SensorReading, LibreError>, _ path: String?, _ dump: Int?, indented: Bool
  ) -> [UInt8] {
    var writer = JSONWriter(indented: indented, depth: isList ? 1 : 0)
    switch result {
    case .success(let reading):
      ReadingJSON.write(
        reading, unit: session.configuration.unit, includesSamples: includesSamples, to: &writer)
    case .failure(let error): ErrorJSON.write(error, path: path, dump: dump, to: &writer)
    }
    return writer.bytes
  }
}
