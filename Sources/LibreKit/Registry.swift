// SPDX-License-Identifier: Apache-2.0
public import DumpFormats
public import HistoryFormats
import Libre1Core
public import NFCTransport
import SensorSimulator

/// Everything this build knows, on one page. Help texts and documents are made from it; a new dump format, history format,
/// reader or calibration model is one new file and one line here. SampleSync adds the sinks, LibreDocuments the documents.
public enum Registry {
  /// The more particular ones first: of two that read the same memory in a file, the first is named.
  public static let dumpFormats: [any DumpFormat] = {
    var formats: [any DumpFormat] = []
    #if SQLite
      formats += [LibreLinkDatabaseDump(), XDripDatabaseDump()] as [any DumpFormat]
    #endif
    formats += [
      ReadingDump(), TraceDump(), ProxmarkJSONDump(), FlipperDump(), TagInfoDump(), LibreWifiDump(), LibreAlarmDump(),
      OOPRequestDump(), XxdDump(), HexdumpDump(), DiaBLEDump(), LibreMonitorDump(), OldProxmarkDump(), BlockListDump(),
      ProxmarkConsoleDump(), ProxmarkBinaryDump(),
      MiaoMiaoDump(), BubbleDump(), ProxmarkEMLDump(), HexDump(), DecimalDump(), Base64Dump(), RawDump(),
    ]
    return formats
  }()

  public static let dumpWriters: [any DumpWriter] = dumpFormats.compactMap { $0 as? any DumpWriter }

  /// Other programs' histories, and our own, that can be imported.
  public static let historyReaders: [any HistoryReader] = {
    var readers: [any HistoryReader] = [
      NDJSONReader(), LibreViewReader(), ClarityReader(), NightscoutReader(), TidepoolReader(), AppleHealthReader(),
      SiDiaryReader(), JugglucoReader(), GlucometerUtilsReader(), TableReader(),
    ]
    #if SQLite
      readers.append(LibreLinkReader())
    #endif
    return readers
  }()

  /// All of them, each once, with what can be done: `read, write`, `read` or `write`, as wide as the widest.
  public static var historyFormats: [(name: String, use: String, summary: String)] {
    let written = historyWriters.map(\.name)
    let read = historyReaders.map { reader in
      (reader.name, written.contains(reader.name) ? "read, write" : "read       ", reader.summary)
    }
    return read
      + historyWriters.filter { writer in !historyReaders.contains { $0.name == writer.name } }
      .map { ($0.name, "write      ", $0.summary) }
  }

  /// What the history can be exported as.
  public static let historyWriters: [any HistoryWriter] = [
    CSVWriter(), NDJSONWriter(), LibreViewWriter(), AppleHealthWriter(), OpenMHealthWriter(), FHIRWriter(),
    TidepoolWriter(), TerraWriter(), VitalWriter(),
  ]

  public static let readerBackends: [any ReaderBackend] = {
    var backends: [any ReaderBackend] = []
    #if PCSC
      backends.append(PCSCBackend())
    #endif
    #if LibNFC
      backends.append(LibNFCBackend())
    #endif
    backends.append(SimulatedBackend(file: SourceFiles.image))
    backends.append(ReplayBackend(file: SourceFiles.bytes))
    return backends
  }()

  /// The forms of `--reader` that lead somewhere in this build.
  public static let readerAddresses: [String] = ReaderAddress.forms.filter { form in
    readerBackends.contains { form == $0.scheme || form.hasPrefix("\($0.scheme):") }
  }

  /// All layouts of memory. What none of them claims is read like a Libre 1's.
  package static let sensorLayouts: [any SensorLayout] = [LibreProLayout(), Libre1Layout()]

  public static let calibrations: [CalibrationEntry] = [
    CalibrationEntry("factory", "Abbott's static formula with the sensor's own numbers") { .factory },
    CalibrationEntry("reader", "like the official reader; equal to 200 official values of four sensors") {
      .series(ReaderCalibration())
    },
    CalibrationEntry("user", "the factory's value brought to your finger-sticks, see libre calibrate") { .user },
    CalibrationEntry(
      "linear", parameters: ["SLOPE", "OFFSET"], "SLOPE × counts + OFFSET in mg/dL, without temperature"
    ) {
      .model(LinearCalibration(slope: $0[0], offset: $0[1]))
    },
  ]
}
