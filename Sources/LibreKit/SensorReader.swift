// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// Reads the sensor on a reader.
public struct SensorReader: Sendable {
  private let place: Place
  private let catalogue: Catalogue

  private enum Place: Sendable {
    case address(ReaderAddress)
    /// A reader of the program's own, which closes it itself.
    case open(any TagReader)
  }

  public var calibration: CalibrationChoice = .factory
  /// The time to wait for a sensor, also for the return of one that was removed too early.
  public var timeout: Duration = .seconds(60)
  package var trace: Trace?
  package var onExchange: (@Sendable (ReaderExchange) -> Void)?

  /// Called when a reader is waited for, and when it is there, also between two scans; nil to fail without one.
  package var onWaiting: (@Sendable (WaitingReader.Event) -> Void)?

  package struct Trace: Sendable {
    /// True to write UIDs. Even without them a transcript is health data, because it contains the memory.
    package var showsIdentifiers: Bool
    package var write: @Sendable (String) -> Void

    package init(showsIdentifiers: Bool = false, write: @escaping @Sendable (String) -> Void) {
      (self.showsIdentifiers, self.write) = (showsIdentifiers, write)
    }
  }

  /// Creates a reader from an address as for `--reader`: `auto`, `pcsc`, `proxmark`, `flipper`, `phone`, `bridge`,
  /// `nfc:…`, `sim:…`, `replay:…`, or with a scheme that the catalogue has besides.
  /// - Throws: `unknownAddress`.
  public init(at address: String, catalogue: Catalogue = .standard) throws(LibreError) {
    place = .address(try catalogue.readerAddress(address))
    self.catalogue = catalogue
  }

  /// Creates a reader from a device that libre does not know, such as the NFC of a phone. It is not closed after a read.
  public init(on reader: any TagReader) { (place, catalogue) = (.open(reader), .standard) }

  /// Waits for a sensor, reads its memory and decodes it. The read time is this computer's clock.
  /// - Throws: `LibreError`: `transport` if reader or sensor fail, `memory` if the memory cannot be decoded.
  public func read() async throws(LibreError) -> SensorReading {
    let reader = try await open()
    let report = await reader.scan()
    if case .address = place { await reader.close() }
    return try reader.reading(of: report)
  }

  /// Opens the reader, for more than one scan. The error says what keeps this machine from reading sensors.
  package func open() async throws(LibreError) -> ReaderSession {
    switch place {
    case .open(let reader): return ReaderSession(reader, settings: self)
    case .address(let address):
      do throws(TransportError) {
        guard let backend = catalogue.readerBackend(address.scheme) else {
          throw .notInThisBuild(scheme: address.scheme)
        }
        if let onWaiting {
          return ReaderSession(WaitingReader(backend, at: address, onEvent: onWaiting), settings: self)
        }
        return ReaderSession(try await backend.open(address), settings: self)
      } catch {
        throw LibreError(explaining: error)
      }
    }
  }
}

package struct ReaderSession: Sendable {
  private let reader: any TagReader
  private let tracing: TracingReader?
  private let settings: SensorReader

  init(_ reader: any TagReader, settings: SensorReader) {
    self.settings = settings
    let reader: any TagReader = settings.onExchange.map { ObservedReader(reader, report: $0) } ?? reader
    tracing = settings.trace.map {
      TracingReader(reader, showsIdentifiers: $0.showsIdentifiers, tool: Program.tool, write: $0.write)
    }
    self.reader = tracing ?? reader
  }

  /// The address of the reader, which `auto` has chosen.
  package var address: String { get async { await reader.description.address } }

  /// Waits for a sensor and reads it. Does not throw: the report contains a failure, and the blocks read before it.
  package func scan(onEvent: @escaping @Sendable (ScanEvent) -> Void = { _ in }) async -> ScanReport {
    let report = await ScanRunner.run(on: reader, limit: settings.timeout, now: { LocalTime.now }, onEvent: onEvent)
    if let readAt = report.image.readAt { await tracing?.finish(readAt: readAt) }
    return report
  }

  package func reading(of report: ScanReport) throws(LibreError) -> SensorReading {
    if let failure = report.failure { throw Self.error(failure, of: report.image) }
    return try DumpReading(
      memory: report.memory, layout: report.layout, readAtSource: report.readAtSource,
      source: ReadingSource(of: report.image), reader: report.reader
    ).reading(calibration: settings.calibration, salvaging: false)
  }

  package func waitForRemoval() async throws(LibreError) {
    do throws(TransportError) { try await reader.waitForRemoval() } catch { throw .transport(error) }
  }

  package func close() async { await reader.close() }

  /// If the sensor refused all blocks but named an unsupported product, that is the better reason. A Libre 3 has no block
  /// that it could show.
  private static func error(_ failure: TransportError, of image: MemoryImage) -> LibreError {
    let isRefusal = if case .tag = failure { true } else { false }
    if let patchInfo = image.patchInfo, !patchInfo.family.isReadable, isRefusal || patchInfo.count == 24 {
      return .memory(.unsupportedFamily(patchInfo.family), of: patchInfo)
    }
    return LibreError(explaining: failure)
  }
}

extension LibreError {
  package init(explaining error: TransportError) {
    self = Obstacle(behind: error, on: .here).map { LibreError($0) } ?? .transport(error)
  }
}
