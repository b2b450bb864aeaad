// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import HostSystem
import Libre1Core
import NFCTransport

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
      tool: Program.tool, path: nil, format: nil, dump: nil, sha256: SHA256Digest.hex(of: report.image.bytes))
    return try ReadingAssembly(
      memory: CheckedImage(report.image), readAtSource: report.readAtSource, source: source, reader: report.reader
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
