// SPDX-License-Identifier: Apache-2.0
package import GlucoseReport
import HostSystem
package import LibreDocuments
package import LibreKit
import TextFormats

/// Writes readings and errors to standard output one by one, in one of the output formats.
package struct ResultWriter {
  package let format: OutputFormat
  /// True if the input is several files or a directory: JSON is an array even for one result.
  package let isList: Bool
  package let session: Session
  /// False for only the sensor and its current value.
  package let includesSamples: Bool
  /// Characters for the picture below the table; nil for no picture.
  private let characters: TerminalCharacters?
  /// True if memories that cannot be decoded leave the exit status 0; nil if only lines that are answered on a line do.
  private let keepGoing: Bool?
  /// True if the members of an input line that libre does not know are written with its answer.
  private let keepsMembers: Bool
  /// True if data that cannot be decoded, in one of several inputs, is not reported on standard error if it has a document.
  private let isBrief: Bool
  /// The highest exit status of the failures that count.
  private var worst: Int32 = 0
  /// The same of those that do not count as long as anything was decoded.
  private var worstForgiven: Int32 = 0
  private var hasReading = false
  private var count = 0
  private var pending: [UInt8] = []

  package init(
    output: ReadingOutputOptions, isList: Bool, session: Session, characters: TerminalCharacters? = nil,
    keepGoing: Bool? = nil, keepsMembers: Bool = false, isBrief: Bool = false
  ) {
    self.characters = characters
    self.keepGoing = keepGoing
    self.keepsMembers = keepsMembers
    self.isBrief = isBrief
    format = output.output.format
    includesSamples = !output.noSamples
    self.isList = isList
    self.session = session
  }

  /// The exit status: the highest one of the failures. Lines that are answered by an error do not count, unless that is
  /// the answer to all of them; with `--keep-going` nothing that cannot be decoded counts.
  package var status: Int32 { keepGoing == nil && !hasReading ? max(worst, worstForgiven) : worst }

  package func begin() throws(LibreError) {
    switch format {
    case .csv: try session.write(data: ReadingCSV.header(unit: session.configuration.unit))
    case .json where isList: try session.write("[")
    case .json, .ndjson, .table: break
    }
  }

  /// Writes the result of a sensor. On a terminal that is too low for the table, the current value is repeated.
  package mutating func add(_ result: Result<SensorReading, LibreError>, person: String?) throws(LibreError) {
    let answer = DumpAnswer(result)
    let table = ReadingTable(unit: session.configuration.unit, style: session.style)
    let document =
      switch (format, result) {
      case (.table, .failure(let error)): Array(table.text(of: error).utf8)
      default: self.document(of: answer, path: nil, person: person)
      }
    try add(answer, document: document, path: nil)
    if format == .table, case .success(let reading) = result, let lines = session.terminalLines,
      document.count(where: { $0 == 0x0A }) >= lines, let value = table.valueLine(of: reading)
    {
      pending += "\n\(value)".utf8
    }
    try flush()
  }

  /// Adds an answer with its document, to be written by `flush`. A failure is also reported on standard error.
  package mutating func add(_ answer: DumpAnswer, document: [UInt8], path: String?) throws(LibreError) {
    switch answer.result {
    case .success: hasReading = true
    case .failure(let error):
      let isOneOfSeveral = isList || answer.line != nil
      if document.isEmpty || !isBrief || !isOneOfSeveral || error.exitStatus != Self.undecodable {
        try flush()
        Session.report(error, input: path, dump: answer.line == nil ? answer.dump : nil, line: answer.line)
      }
      if isForgiven(error, answer) {
        worstForgiven = max(worstForgiven, error.exitStatus)
      } else {
        worst = max(worst, error.exitStatus)
      }
    }
    guard !document.isEmpty else { return }
    switch format {
    case .json where isList: pending += (count == 0 ? "\n  " : ",\n  ").utf8
    case .table where count > 0: pending.append(0x0A)
    case .json, .table, .csv, .ndjson: break
    }
    pending += document
    count += 1
  }

  package mutating func flush() throws(LibreError) {
    try session.write(pending)
    pending.removeAll(keepingCapacity: true)
  }

  package func end() throws(LibreError) {
    if format == .json, isList { try session.write(count == 0 ? "]\n" : "\n]\n") }
  }

  /// Returns what is written for an answer; nothing for a failure in a format without errors.
  package func document(of answer: DumpAnswer, path: String?, person: String? = nil) -> [UInt8] {
    let unit = session.configuration.unit
    switch (format, answer.result) {
    case (.json, _): return json(answer, path, person, indented: true) + (isList ? [] : [0x0A])
    case (.ndjson, _): return json(answer, path, person, indented: false) + [0x0A]
    case (.csv, .success(let reading)): return Array(ReadingCSV.rows(reading, unit: unit).utf8)
    case (.table, .success(let reading)):
      let table = ReadingTable(unit: unit, style: session.style, characters: characters)
      return Array(table.text(of: reading, includesSamples: includesSamples, person: person).utf8)
    case (.csv, .failure), (.table, .failure): return []
    }
  }

  private func json(_ answer: DumpAnswer, _ path: String?, _ person: String?, indented: Bool) -> [UInt8] {
    var writer = JSONWriter(indented: indented, depth: isList ? 1 : 0)
    let input = keepsMembers ? KeptMembers(of: answer.input) : nil
    switch answer.result {
    case .success(let reading):
      ReadingJSON.write(
        reading, unit: session.configuration.unit, includesSamples: includesSamples, person: person, input: input,
        to: &writer)
    case .failure(let error):
      ErrorJSON.write(error, path: path, dump: answer.dump, line: answer.line, input: input, to: &writer)
    }
    return writer.bytes
  }

  private static let undecodable: Int32 = 65

  /// True for data that cannot be decoded, if that does not change the exit status.
  private func isForgiven(_ error: LibreError, _ answer: DumpAnswer) -> Bool {
    error.exitStatus == Self.undecodable && (keepGoing ?? (answer.line != nil && format == .ndjson))
  }
}

/// An output file that appears in full or not at all, or standard output, in large pieces: small ones are slow.
package final class OutputFile {
  private let draft: AtomicFile?
  private let session: Session
  private var buffer: [UInt8] = []

  package init(_ path: String?, session: Session) throws(LibreError) {
    self.session = session
    if let path { session.remark(ifPipe: path, isOutput: true) }
    draft = if let path, path != "-" { try libre(AtomicFile(path, isPrivate: true)) } else { nil }
  }

  package func write(_ bytes: [UInt8]) throws(LibreError) {
    buffer += bytes
    if buffer.count > 1 << 16 { try flush() }
  }

  package func finish() throws(LibreError) {
    try flush()
    try libre(draft?.finish())
  }

  package func flush() throws(LibreError) {
    if let draft {
      try libre(draft.append(buffer))
    } else {
      try session.write(buffer)
    }
    buffer = []
  }
}
