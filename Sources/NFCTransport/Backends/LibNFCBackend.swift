// SPDX-License-Identifier: Apache-2.0
#if LibNFC

  /// Connects a PN532Killer through libnfc: a serial device that understands the PN532's commands and adds ISO 15693.
  /// This is libnfc's only way to a sensor: libnfc itself has no ISO 15693 (read: libnfc 1.8.0 and master), and a
  /// genuine PN532, PN533 or ACR122U cannot be upgraded.
  ///
  /// Opens only the device that the address names: libnfc's search can take a reader away from PC/SC.
  ///
  /// Run against Debian's libnfc 1.8.0 with the device emulated on a pseudo-terminal; untested on hardware.
  public struct LibNFCBackend: ReaderBackend {
    public let scheme = "nfc"
    public let summary =
      "a PN532Killer through libnfc, the only reader for which libnfc has ISO 15693: nfc:pn532_uart:/dev/ttyACM0"
    private let deadline: Duration
    private let clock: any Clock<Duration>

    /// Creates a backend; one exchange may take `deadline`. The time that the device needs is unknown: untested on
    /// hardware.
    public init(deadline: Duration = .milliseconds(500)) {
      self.init(deadline: deadline, clock: ContinuousClock())
    }

    /// Creates a backend that measures the pauses between two checks for a tag with `clock`.
    init(deadline: Duration, clock: any Clock<Duration>) {
      self.deadline = deadline
      self.clock = clock
    }

    /// Opens the device of a libnfc connstring: `pn532_uart:PORT` or `pn532_uart:PORT:BAUD`.
    ///
    /// - Throws: `libraryMissing`; `accessDenied`, `readerBusy` or `readerFailed` for a problem with the port;
    /// `readerLacks15693` for any libnfc device except a PN532Killer. Only a serial port is opened to find that out:
    /// libnfc's other drivers cannot have a PN532Killer.
    public func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      guard case .nfc(let connstring) = address else { throw .unknownAddress(address.description) }
      let parts = connstring.split(separator: ":", omittingEmptySubsequences: false)
      if Self.otherDrivers.contains(String(parts[0])) { throw .readerLacks15693(name: connstring) }
      guard parts[0] == "pn532_uart", parts.count >= 2, !parts[1].isEmpty else {
        throw .unknownAddress(address.description)
      }
      let device = LibNFCDevice(connstring: connstring, port: LibNFCPort(path: String(parts[1])), deadline: deadline)
      return try await LibNFCReader(device, address: address, deadline: deadline, clock: clock)
    }

    /// Drivers of libnfc (the part before the colon) for chips that are not on a serial port, or on another kind of
    /// port (read: libnfc 1.8.0 and master).
    private static let otherDrivers: Set = [
      "acr122_pcsc", "acr122_usb", "acr122s", "arygon", "pcsc", "pn532_i2c", "pn532_spi", "pn53x_usb", "pn71xx", "usb",
    ]
  }
#endif
