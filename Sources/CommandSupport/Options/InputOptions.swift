// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import DumpFormats
package import HistoryFormats
package import HostSystem
package import LibreKit
import Logging
import Meters

/// Options for facts about a dump that the file itself lacks.
package struct InputOptions: ParsableArguments {
  package init() {}

  @Option(
    help: .value("name", "Read the input as this format (see libre formats). Default: detected."),
    completion: .list(Catalogue.standard.dumpFormats.map(\.name) + Catalogue.standard.historyReaders.map(\.name)))
  package var inputFormat: String?

  @Option(help: .value("number", "Number of the memory in a file with several, from 1."))
  package var dump: Int?

  @Option(
    parsing: .unconditional,
    help: .value(
      "time",
      "When the sensor was read: \(TimeArgument.forms), or mtime for the modification time of a file without a time of its own."
    ), completion: .list(["mtime", "now"]))
  package var readAt: String?

  @Option(help: .value("hex", "The sensor's UID, 16 hex digits, E0 first."))
  package var uid: String?

  @Option(help: .value("hex", "The sensor's patch info, 12 to 48 hex digits."))
  package var patchInfo: String?

  package func validate() throws {
    try check(dump, of: "--dump", allowed: "--dump 1 for the first memory") { $0 >= 1 }
    if let patchInfo, Self.patchInfo(patchInfo) == nil {
      throw ValidationError("--patch-info \(patchInfo) is not 6 to 24 bytes of hex digits. Try: DF0000000000")
    }
  }

  package var isUsed: Bool { inputFormat != nil || isAboutOneMemory }

  package var isAboutOneMemory: Bool { dump != nil || readAt != nil || uid != nil || patchInfo != nil }

  /// - Throws: `UIDError` for bytes that are not a sensor's UID, `configuration(.badOption)` for a bad time.
  package func decodeOptions(salvage: Bool = false, calibration: CalibrationChoice = .factory) throws(LibreError)
    -> DecodeOptions
  {
    var options = DecodeOptions()
    options.salvage = salvage
    options.calibration = calibration
    options.inputFormat = inputFormat
    options.choice = dump.map(DumpChoice.number) ?? .only
    if let readAt {
      options.readTime =
        readAt == "mtime"
        ? .modificationTime : .at(try TimeArgument.moment(readAt, of: "--read-at", now: LocalTime.now))
    }
    options.patchInfo = patchInfo.flatMap(Self.patchInfo)
    if let uid { options.uid = try libre(SensorUID(printed: uid)) }
    return options
  }

  private static func patchInfo(_ text: String) -> PatchInfo? { HexText.bytes(of: text).flatMap(PatchInfo.init) }
}

/// Options for facts about other programs' histories that the files themselves lack.
package struct HistoryFileOptions: ParsableArguments {
  package init() {}

  @Option(help: .value("name", "The column of times in a table that names it otherwise."))
  package var timeColumn: String?

  @Option(
    help: .value(
      "name", "The column of glucose in a table that names it otherwise; --unit gives its unit if the name does not."))
  package var glucoseColumn: String?

  @Flag(help: "Leave invalid records of a history out, counted, instead of refusing the file.")
  package var keepGoing = false

  @Option(
    help: .value("order", "Order of dates such as 03/04/2024: dmy, mdy or ymd."),
    completion: .list(["dmy", "mdy", "ymd"]))
  package var dateOrder: String?

  @Option(
    help: .value(
      "name",
      "Only this subject's values of a table of several subjects, told apart by a column such as subject, patient_id or id."
    ))
  package var subject: String?

  package var isUsed: Bool { keepGoing || [dateOrder, subject, timeColumn, glucoseColumn].contains { $0 != nil } }

  package func validate() throws {
    try check(dateOrder, of: "--date-order", allowed: "dmy, mdy or ymd") {
      ImportOptions.DateOrder(rawValue: $0) != nil
    }
  }

  /// Only `--unit` is the unit of a file: a user who displays mmol/L may import a file in mg/dL.
  package func importOptions(_ session: Session) -> ImportOptions {
    var options = ImportOptions(clock: LocalTime.clock, subject: subject)
    options.dateOrder = dateOrder.flatMap(ImportOptions.DateOrder.init)
    options.unit = session.configuration[.unit].origin == .flag ? session.configuration.unit : nil
    (options.timeColumn, options.glucoseColumn) = (timeColumn, glucoseColumn)
    options.keepsGoing = keepGoing
    options.now = LocalTime.now
    return options
  }
}

/// Input files of a command, in order; with `--recursive`, the files in a directory replace it.
package struct InputFiles: Sequence, IteratorProtocol {
  private var paths: ArraySlice<String>
  /// The files of a directory that replace it; nil to leave it as it is.
  private let selection: DirectoryWalk.Selection?
  private let session: Session
  private var walk: DirectoryWalk?

  package init(_ paths: [String], recursive: Bool, session: Session) {
    self.init(paths, from: recursive ? .visible : nil, session: session)
  }

  package init(_ paths: [String], from selection: DirectoryWalk.Selection?, session: Session) {
    self.paths = paths[...]
    self.selection = selection
    self.session = session
  }

  package mutating func next() -> Result<String, DirectoryWalk.Failure>? {
    while true {
      if let entry = walk?.next() { return entry }
      walk = nil
      guard let path = paths.popFirst() else { return nil }
      guard let selection, FileSystem.isFolder(path) else {
        session.remark(ifPipe: path)
        return .success(path)
      }
      walk = DirectoryWalk(path, selection)
    }
  }
}

package struct ReaderOptions: ParsableArguments {
  package init() {}

  @Option(
    help: .value("address", "Where the reader is: \(Catalogue.standard.readerAddresses.joined(separator: ", "))."),
    completion: .list(
      ["auto", "pcsc", "proxmark", "flipper", "phone", "bridge", "nfc:", "replay:", "sim:phone", "sim:bridge"]
        + Scenario.all.map { "sim:\($0.name)" }))
  package var reader: String?

  @Option(help: .value("file", "Write a transcript, which --reader replay:FILE plays back."), completion: .file())
  package var trace: String?

  @OptionGroup package var force: ForceOption

  @Flag(help: "Include UIDs in the transcript.")
  package var showIdentifiers = false

  @Flag(help: "Let a bridge read a sensor that it has not read before.")
  package var acceptSensor = false

  @OptionGroup package var calibration: CalibrationOption

  package var flags: [Setting: String] {
    var flags = calibration.flags
    flags[.reader] = reader
    return flags
  }

  package func sensorReader(_ session: Session) throws(LibreError) -> SensorReader {
    let address = session.configuration[.reader].text
    var catalogue = Catalogue.standard
    if acceptSensor { catalogue.acceptNewSensors() }
    var reader = try SensorReader(at: address, catalogue: catalogue)
    session.explain(readerAt: address)
    reader.calibration = calibration.choice(session)
    if session.logger.logLevel <= .debug { reader.onExchange = { session.log($0) } }
    if let trace {
      try force.checkReplacement(of: trace)
      try libre(FileSystem.begin(trace))
      reader.trace = .init(showsIdentifiers: showIdentifiers) { line in
        do throws(LibreError) {
          try libre(FileSystem.append(Array("\(line)\n".utf8), to: trace))
        } catch {
          // The reading is worth more than its transcript.
          session.log(.error, "cannot write a line of the transcript", ["reason": error.message])
        }
      }
    }
    return reader
  }
}

extension Session {
  /// Says what the user has to do, or to know, before the reader at an address is used.
  package func explain(readerAt address: String) {
    guard let place = try? ReaderAddress(address) else { return }
    let lines =
      switch place.scheme {
      case PhoneBackend().scheme:
        [
          "a phone is awaited: connect it by its USB cable, with USB debugging on, and unlock it",
          PhoneBackend.settings(port: place.rest ?? "\(PhoneBackend.usualPort)"), "in NFCGate \(PhoneBackend.role)",
          "hold the sensor to the phone's back, and keep still",
        ]
      case BridgeBackend().scheme:
        [
          "a bridge is awaited, which takes up to a minute; while a phone is connected to it, it is not heard",
          "while libre is connected, the phone's app gets no readings from the bridge and cannot raise an alarm",
        ]
      default: [] as [String]
      }
    for line in lines { remark(line) }
  }
}
