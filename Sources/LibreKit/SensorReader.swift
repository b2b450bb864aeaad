// SPDX-License-Identifier: Apache-2.0
public import CGMModel
public import Libre1Core
public import NFCTransport

/// Reads the sensor on a reader.
public struct SensorReader: Sendable {
  public let address: ReaderAddress
  public var calibration: any CalibrationModel = FactoryCalibration()

  /// `address` as for `--reader`: `pcsc`, `nfc:…`, `sim:…`. Throws `unknownAddress`.
  public init(at address: String) throws(LibreError) {
    do {
      self.address = try ReaderAddress(address)
    } catch {
      throw .transport(error)
    }
  }

  /// Reads the memory, 43 blocks, and decodes it. The read time is this computer's clock.
  ///
  /// Throws `LibreError`: `transport` if reader or sensor fail, `memory` if the memory is not readable.
  public func read() async throws(LibreError) -> SensorReading {
    let image: MemoryImage
    let description: ReaderDescription
    do throws(TransportError) {
      guard let backend = Registry.readerBackends.first(where: { $0.scheme == address.scheme }) else { throw .noReader }
      let reader = try await backend.open(address)
      image = try await ScanRunner.run(on: reader, now: { LocalTime.now })
      description = reader.description
    } catch {
      throw .transport(error)
    }
    let source = ReadingSource(
      tool: Version.tool, path: nil, format: nil, sha256: Fingerprint.sha256(of: image.bytes))
    return try ReadingAssembly(image: image, readAtSource: .clock, source: source, reader: description)
      .reading(calibration: calibration, salvaging: false)
  }
}
