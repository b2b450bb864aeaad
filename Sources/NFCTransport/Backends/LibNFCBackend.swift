// SPDX-License-Identifier: Apache-2.0
#if LibNFC

  /// The one way to a sensor that libnfc has: a PN532Killer, a serial device that understands the PN532's commands and
  /// has ISO 15693 besides. libnfc itself has no ISO 15693 (read: libnfc 1.8.0 and master), and a genuine PN532, PN533
  /// or ACR122U cannot be taught it.
  ///
  /// It opens what the address names and looks for nothing: libnfc's search can take a reader away from PC/SC.
  ///
  /// Run against Debian's libnfc 1.8.0 with the device played on a pseudo-terminal; untested on hardware.
  package struct LibNFCBackend: ReaderBackend {
    package let scheme = "nfc"
    package let summary =
      "a PN532Killer by libnfc, which has no ISO 15693 for any other reader: nfc:pn532_uart:/dev/ttyACM0"
    private let deadline: Duration
    private let clock: any Clock<Duration>

    /// `deadline`: how long one exchange may take. What the device needs is not known: untested on hardware.
    package init(deadline: Duration = .milliseconds(500)) {
      self.init(deadline: deadline, clock: ContinuousClock())
    }

    /// `clock`: what the waits between two looks for a tag are measured with.
    init(deadline: Duration, clock: any Clock<Duration>) {
      self.deadline = deadline
      self.clock = clock
    }

    /// Opens the device of a connstring of libnfc: `pn532_uart:PORT` or `pn532_uart:PORT:BAUD`.
    ///
    /// Throws `libraryMissing`; `port` with what is wrong with the port; `readerFailed`;
    /// `readerLacks15693` for everything libnfc knows that is not a PN532Killer. Only a serial port is opened to find that
    /// out: behind libnfc's other drivers it cannot be.
    package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      guard case .nfc(let connstring) = address else { throw .unknownAddress(address.description) }
      let parts = connstring.split(separator: ":", omittingEmptySubsequences: false)
      if Self.otherDrivers.contains(String(parts[0])) { throw .readerLacks15693(name: connstring) }
      guard parts[0] == "pn532_uart", parts.count >= 2, !parts[1].isEmpty else {
        throw .unknownAddress(address.description)
      }
      let device = LibNFCDevice(connstring: connstring, port: String(parts[1]), deadline: deadline)
      return try await FrameReader(device, address: address, clock: clock)
    }

    /// A port that comes may be the one that an address names.
    package func changes() -> ReaderChanges { changes(on: clock) { SerialDevice.all() } }

    /// The names that stand before the colon for chips that are not on a serial port, or behind another one
    /// (read: libnfc 1.8.0 and master).
    private static let otherDrivers: Set = [
      "acr122_pcsc", "acr122_usb", "acr122s", "arygon", "pcsc", "pn532_i2c", "pn532_spi", "pn53x_usb", "pn71xx", "usb",
    ]
  }
#endif
