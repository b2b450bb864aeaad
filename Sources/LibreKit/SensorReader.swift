// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import HostSystem
import Libre1Core
package import NFCTransport

/// Reads the sensor on a reader.
public struct SensorReader: Sendable {
  package let address: ReaderAddress
  public var calibration: CalibrationChoice = .factory
  /// The time to wait for a sensor, also for the return of one that was removed too early.
  public var timeout: Duration = .seconds(60)
  /// The receiver of a transcript, line by line; nil for none.
  package var trace: Trace?
  /// Called after each exchange with the reader.
  package var onExchange: (@Sendable (ReaderExchange) -> Void)?

  /// Called when a reader is waited for, and when it is there; nil to fail without one. With it the reader may be
  /// plugged in later, and unplugged and back between two scans.
  package var onWaiting: (@Sendable (WaitingReader.Event) -> Void)?

  /// The settings of a transcript.
  package struct Trace: Sendable {
    /// True to write UIDs. Even without them a transcript is health data, because it contains the memory.
    package var showsIdentifiers: Bool
    package var write: @Sendable (String) -> Void

    package init(showsIdentifiers: Bool = false, write: @escaping @Sendable (String) -> Void) {
      self.showsIdentifiers = showsIdentifiers
      self.write = write
    }
  }

  /// Creates a reader from an address as for `--reader`: `auto`, `pcsc`, `proxmark`, `flipper`, `nfc:…`,
  /// `sim:…`, `replay:…`.
  ///
  /// - Throws: `unknownAddress`.
  public init(at address: String) throws(LibreError) {
    self.address = try libre(ReaderAddress(address))
  }

  /// Waits for a sensor, reads its memory and decodes it. The read time is this computer's clock.
  ///
  /// - Throws: `LibreError`: `transport` if reader or sensor fail, `memory` if the memory cannot be decoded.
  public func read() async throws(LibreError) -> SensorReading {
    let reader = try await open()
    let report = await reader.scan()
    await reader.close()
    return try reader.reading(of: report)
  }

  /// Opens the reader, for more than one scan.
  ///
  /// - Throws: `LibreError.transport`, or with what keeps this machine from reading sensors.
  package func open() async throws(LibreError) -> ReaderSession {
    do throws(TransportError) {
      guard let backend = Registry.readerBackend(address.scheme) else {
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

/// An open reader, for any number of scans. Close it after use.
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

  /// Waits for a sensor and reads it. Does not throw: the report contains a failure, and the blocks read before it.
  package func scan(onEvent: @escaping @Sendable (ScanEvent) -> Void = { _ in }) async -> ScanReport {
    let report = await ScanRunner.run(
      on: reader, limit: settings.timeout, now: { LocalTime.now }, onEvent: onEvent)
    if let readAt = report.image.readAt { await tracing?.finish(readAt: readAt) }
    return report
  }

  /// Decodes the memory of a scan.
  ///
  /// - Throws: `LibreError`: `transport` if the scan failed, `memory` if the memory cannot be decoded.
  package func reading(of report: ScanReport) throws(LibreError) -> SensorReading {
    if let failure = report.failure { throw Self.error(failure, of: report.image) }
    let source = ReadingSource(
      tool: Program.tool, path: nil, format: nil, dump: nil, sha256: HashFunction.sha256.hex(of: report.image.bytes))
    return try ReadingAssembly(
      memory: report.memory, layout: report.layout, readAtSource: report.readAtSource, source: source,
      reader: report.reader
    ).reading(calibration: settings.calibration, salvaging: false)
  }

  /// Returns when the sensor was removed from the reader.
  ///
  /// - Throws: errors of the reader.
  package func waitForRemoval() async throws(LibreError) {
    do throws(TransportError) {
      try await reader.waitForRemoval()
    } catch {
      throw .transport(error)
    }
  }

  /// Closes the connection and switches the field off.
  package func close() async { await reader.close() }

  /// The error for a failure. If the sensor refused all blocks but named an unsupported product, that is the better
  /// reason.
  private static func error(_ failure: TransportError, of image: MemoryImage) -> LibreError {
    if case .tag = failure, let family = image.patchInfo?.family, !family.isReadable {
      return .memory(.unsupportedFamily(family))
    }
    return LibreError(explaining: failure)
  }
}

extension LibreError {
  /// The error, or what on this machine is behind it.
  package init(explaining error: TransportError) {
    self = Obstacle(behind: error, on: .here).map { LibreError($0) } ?? .transport(error)
  }
}
