// SPDX-License-Identifier: Apache-2.0
import HistoryFormats
import HostSystem

extension SensorStore {
  /// The changes that an import made in the store.
  public struct ImportReceipt: Hashable, Sendable {
    /// The name of the file's format.
    public let format: String
    /// Samples and values that the store did not have.
    public let added: Int
    /// Those that it had, which are not stored again.
    public let known: Int
    /// Those that were not stored, by the reason in words.
    public let leftOut: [String: Int]
  }

  /// Imports a file: the memory of a sensor in any dump format, or the history of another program. Importing it again
  /// changes nothing. `libre imports` lists it, and can take it back.
  ///
  /// - Throws: `LibreError`: `input` if the file cannot be read, `dump` or `history` for an unknown format and for invalid
  ///   records, of which nothing is stored.
  @discardableResult
  public func importFile(
    at path: String, calibration: CalibrationChoice = .factory, catalogue: Catalogue = .standard
  ) throws(LibreError) -> ImportReceipt {
    var options = DecodeOptions()
    options.calibration = calibration
    var importOptions = ImportOptions(clock: LocalTime.clock)
    importOptions.now = LocalTime.now
    var (tally, failure): (ImportTally?, LibreError?)
    let importer = Importer(
      into: self, decoder: DumpDecoder(options: options, catalogue: catalogue), options: importOptions
    ) { event throws(LibreError) in
      switch event {
      case .done(let done): tally = done
      case .failed(_, _, let error): failure = failure ?? error
      case .checking, .storing: break
      }
    }
    _ = try libre(beginImport(of: [path], at: LocalTime.now))
    do throws(LibreError) {
      try importer.add(path)
      try importer.finish()
    } catch {
      failure = failure ?? error
    }
    _ = try libre(endImport(formats: [tally?.format].compactMap(\.self), timeZone: tally?.timeZone))
    if let failure { throw failure }
    guard let tally else { throw .history(.unknownFormat) }
    return ImportReceipt(
      format: tally.format, added: tally.counts.added + tally.counts.filled, known: tally.counts.known,
      leftOut: tally.counts.reasons)
  }
}
