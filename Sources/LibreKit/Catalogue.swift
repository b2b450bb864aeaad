// SPDX-License-Identifier: Apache-2.0
package import DumpFormats
package import HistoryFormats
import HostSystem
import Meters

/// Everything that can be read and computed: formats of dumps and of histories, ways to readers, and calibrations.
///
/// ``standard`` is all that libre brings; help texts and documents are made of it. A program adds its own to a copy and
/// passes that to what reads. A new one of libre's own is one file and one line here, or for a file format in the list of
/// its module; sinks have the same list in SampleSync.
public struct Catalogue: Sendable {
  /// Dump formats, the more specific ones first: if two read the same memory in a file, the first one is reported.
  package private(set) var dumpFormats: [any DumpFormat]
  package private(set) var historyReaders: [any HistoryReader]
  package let historyWriters: [any HistoryWriter]
  /// All ways to reach readers, in the order in which `auto` looks for one.
  package private(set) var readerBackends: [any ReaderBackend]
  package let calibrations: [CalibrationEntry]

  /// The catalogue of this build, without a program's own.
  public static let standard = Catalogue()

  private init() {
    dumpFormats = ForeignDumps.databases + [ReadingDump(), TraceDump()] + ForeignDumps.files
    historyReaders = HistoryFiles.readers
    historyWriters = HistoryFiles.writers
    readerBackends = []
    #if PCSC
      readerBackends.append(PCSCBackend())
    #endif
    readerBackends += [ProxmarkBackend(), FlipperBackend()] as [any ReaderBackend]
    #if LibNFC
      readerBackends.append(LibNFCBackend())
    #endif
    readerBackends.append(PhoneBackend())
    #if Bluetooth
      readerBackends.append(BridgeBackend())
    #endif
    readerBackends +=
      [SimulatedBackend(file: SourceFiles.image), ReplayBackend(file: SourceFiles.bytes)] as [any ReaderBackend]
    calibrations = [
      CalibrationEntry("factory", "Abbott's static formula with the sensor's own numbers") { _ in .factory },
      CalibrationEntry(
        "reader", "the values of \(ReaderCalibration.software) on Libre 1, US 14-day and Libre 2 sensors",
        caution: "The \(USLibre2App.software) has another formula and shows 4 to 6 mg/dL more than reader on day 3."
      ) { _ in .reader },
      CalibrationEntry("user", "the factory's value corrected by your finger-sticks, see libre calibrate") {
        _ in .user
      },
      CalibrationEntry(
        "linear", parameters: ["SLOPE", "OFFSET"], "SLOPE × counts + OFFSET in mg/dL, without temperature"
      ) { .model(LinearCalibration(slope: $0[0], offset: $0[1])) },
    ]
  }

  // MARK: A program's own

  /// Adds a format of dump files, which is tried before those that are there.
  public mutating func add(_ format: some MemoryFileFormat) { dumpFormats.insert(OwnDumpFormat(format), at: 0) }

  /// Adds a format of history files, which is tried before those that are there.
  public mutating func add(_ format: some HistoryFileFormat) { historyReaders.insert(OwnHistoryReader(format), at: 0) }

  /// Adds a way to reach readers, in place of one with the same scheme.
  public mutating func add(_ scheme: some ReaderScheme) {
    readerBackends.removeAll { $0.scheme == scheme.scheme }
    readerBackends.append(OwnScheme(scheme))
  }

  /// Lets bridges take a sensor that they have not read before.
  package mutating func acceptNewSensors() {
    readerBackends = readerBackends.map { backend in
      switch backend {
      case is BridgeBackend: BridgeBackend(acceptsSensor: true)
      case is SimulatedBackend: SimulatedBackend(acceptsSensor: true, file: SourceFiles.image)
      default: backend
      }
    }
  }

  // MARK: Looking up

  package var dumpWriters: [any DumpWriter] { dumpFormats.compactMap { $0 as? any DumpWriter } }

  package typealias ListedFormat = (name: String, isRead: Bool, isWritten: Bool, summary: String)

  package var listedDumps: [ListedFormat] { dumpFormats.map { ($0.name, true, $0 is any DumpWriter, $0.summary) } }

  /// All history formats, each once.
  package var listedHistories: [ListedFormat] {
    let written = historyWriters.map(\.name)
    let read = historyReaders.map { ($0.name, true, written.contains($0.name), $0.summary) }
    return read
      + historyWriters.filter { writer in !historyReaders.contains { $0.name == writer.name } }
      .map { ($0.name, false, true, $0.summary) }
  }

  package func readerBackend(_ scheme: String) -> (any ReaderBackend)? {
    let automatic = AutomaticBackend(among: readerBackends)
    return scheme == automatic.scheme ? automatic : readerBackends.first { $0.scheme == scheme }
  }

  package var readerAddresses: [String] {
    ReaderAddress.forms.filter { form in readerBackend(String(form.prefix { $0 != ":" })) != nil }
  }

  func readerAddress(_ text: String) throws(LibreError) -> ReaderAddress {
    try libre(ReaderAddress(text, others: readerBackends.filter { $0 is OwnScheme }.map(\.scheme)))
  }
}

/// A program's own scheme, of whose readers only the program knows.
private struct OwnScheme: ReaderBackend {
  private let own: any ReaderScheme

  init(_ own: any ReaderScheme) { self.own = own }

  package var scheme: String { own.scheme }
  package var summary: String { own.summary }

  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    try await own.open(address)
  }
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
