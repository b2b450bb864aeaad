// SPDX-License-Identifier: Apache-2.0
public import CGMModel
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
    do {
      self.address = try ReaderAddress(address)
    } catch {
      throw .transport(error)
    }
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

extension LibreError {
  /// The error, or what on this machine is behind it.
  package init(explaining error: TransportError) {
    self = Obstacle(behind: error, on: .here).map { .other(OtherError($0)) } ?? .transport(error)
  }
}
