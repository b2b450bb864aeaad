// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import NFCTransport

/// Reads the sensor on a reader.
public struct SensorReader: Sendable {
  public let address: ReaderAddress
  public var calibration: CalibrationChoice = .factory
  /// How long to wait for a sensor, and for one that was taken away too early to come back.
  public var timeout: Duration = .seconds(60)
  /// Where a transcript goes, line by line; nil for none.
  public var trace: Trace?
  /// Is told of each exchange with the reader.
  public var onExchange: (@Sendable (ReaderExchange) -> Void)?

  /// What a transcript takes.
  public struct Trace: Sendable {
    /// Whether UIDs are written in full. Without them a transcript is still health data: it holds the memory.
    public var showsIdentifiers: Bool
    public var write: @Sendable (String) -> Void

    public init(showsIdentifiers: Bool = false, write: @escaping @Sendable (String) -> Void) {
      self.showsIdentifiers = showsIdentifiers
      self.write = write
    }
  }

  /// `address` as for `--reader`: `pcsc`, `nfc:…`, `sim:…`, `replay:…`. Throws `unknownAddress`.
  public init(at address: String) throws(LibreError) {
    do {
      self.address = try ReaderAddress(address)
    } catch {
      throw .transport(error)
    }
  }

  /// Waits for a sensor, reads its memory and decodes it. The read time is this computer's clock.
  ///
  /// Throws `LibreError`: `transport` if reader or sensor fail, `memory` if the memory is not readable.
  public func read() async throws(LibreError) -> SensorReading {
    let reader = try await open()
    let report = await reader.scan()
    await reader.close()
    return try reader.reading(of: report)
  }

  /// Opens the reader, for more than one scan. Throws `LibreError.transport`.
  public func open() async throws(LibreError) -> ReaderSession {
    do throws(TransportError) {
      guard let backend = Registry.readerBackends.first(where: { $0.scheme == address.scheme }) else {
        throw .notInThisBuild(scheme: address.scheme)
      }
      return ReaderSession(try await backend.open(address), settings: self)
    } catch {
      throw .transport(error)
    }
  }
}
