// SPDX-License-Identifier: Apache-2.0
import CGMModel
package import DumpFormats
package import HistoryFormats
import HostSystem
import Libre1Core
package import NFCTransport

/// All formats, readers and calibrations of this build. Help texts and documents are generated from it; a new history
/// format, reader or calibration model is one new file and one line here, a new dump format one line in `ForeignDumps`.
/// SampleSync adds the sinks, LibreDocuments the documents.
package enum Registry {
  /// Dump formats, the more specific ones first: if two read the same memory in a file, the first one is reported.
  package static let dumpFormats: [any DumpFormat] =
    ForeignDumps.databases + [ReadingDump(), TraceDump()] + ForeignDumps.files

  package static let dumpWriters: [any DumpWriter] = dumpFormats.compactMap { $0 as? any DumpWriter }

  package static let historyReaders: [any HistoryReader] = {
    var readers: [any HistoryReader] = [
      NDJSONReader(), CSVReader(), LibreViewReader(), ClarityReader(), NightscoutReader(), TidepoolReader(),
      AppleHealthReader(), SiDiaryReader(), JugglucoReader(), GlucometerUtilsReader(), TableReader(),
    ]
    #if SQLite
      readers.append(LibreLinkReader())
    #endif
    return readers
  }()

  /// All history formats, each once, with its use: `read, write`, `read` or `write`, padded to the same width.
  package static var historyFormats: [(name: String, use: String, summary: String)] {
    let written = historyWriters.map(\.name)
    let read = historyReaders.map { reader in
      (reader.name, written.contains(reader.name) ? "read, write" : "read       ", reader.summary)
    }
    return read
      + historyWriters.filter { writer in !historyReaders.contains { $0.name == writer.name } }
      .map { ($0.name, "write      ", $0.summary) }
  }

  package static let historyWriters: [any HistoryWriter] = [
    CSVWriter(), NDJSONWriter(), LibreViewWriter(), AppleHealthWriter(), OpenMHealthWriter(), FHIRWriter(),
    TidepoolWriter(), TerraWriter(), VitalWriter(), VitalBloodPressureWriter(),
  ]

  /// All ways to reach readers, in the order in which `auto` looks for one.
  package static let readerBackends: [any ReaderBackend] = {
    var backends: [any ReaderBackend] = []
    #if PCSC
      backends.append(PCSCBackend())
    #endif
    backends += [ProxmarkBackend(), FlipperBackend()] as [any ReaderBackend]
    #if LibNFC
      backends.append(LibNFCBackend())
    #endif
    backends +=
      [SimulatedBackend(file: SourceFiles.image), ReplayBackend(file: SourceFiles.bytes)] as [any ReaderBackend]
    return backends
  }()

  package static func readerBackend(_ scheme: String) -> (any ReaderBackend)? {
    let automatic = AutomaticBackend(among: readerBackends)
    return scheme == automatic.scheme ? automatic : readerBackends.first { $0.scheme == scheme }
  }

  package static let readerAddresses: [String] = ReaderAddress.forms.filter { form in
    readerBackend(String(form.prefix { $0 != ":" })) != nil
  }

  package static let calibrations: [CalibrationEntry] = [
    CalibrationEntry("factory", "Abbott's static formula with the sensor's own numbers") { _ in .factory },
    CalibrationEntry(
      "reader", "the values of \(ReaderCalibration.software) on Libre 1, US 14-day and Libre 2 sensors",
      caution: "The \(USLibre2App.software) has another formula and shows 4 to 6 mg/dL more than reader on day 3."
    ) { _ in .series(ReaderCalibration()) },
    CalibrationEntry("user", "the factory's value corrected by your finger-sticks, see libre calibrate") { _ in .user },
    CalibrationEntry(
      "linear", parameters: ["SLOPE", "OFFSET"], "SLOPE × counts + OFFSET in mg/dL, without temperature"
    ) { .model(LinearCalibration(slope: $0[0], offset: $0[1])) },
  ]
}

enum SourceFiles {
  static func bytes(at path: String) throws(TransportError) -> [UInt8] {
    do { return try Files.read(path) } catch { throw .fileUnreadable(path: path, reason: error.message) }
  }

  /// The memory in a dump; nil if the file does not exist.
  /// - Throws: `fileUnreadable`, also for a file without a memory.
  static func image(at path: String) throws(TransportError) -> MemoryImage? {
    let decoder = DumpDecoder()
    do {
      return try decoder.image(in: try decoder.open(path))
    } catch {
      if error.cause as? InputError == .notFound { return nil }
      throw .fileUnreadable(path: path, reason: error.message)
    }
  }
}
