// SPDX-License-Identifier: Apache-2.0

/// Flipper Zero devices on serial ports, by the command `raw` of their shell for NFC: `flipper:PORT`, or `flipper` for the
/// first one.
///
/// Run against an emulator of the firmware on a pseudo-terminal; untested on hardware.
package struct FlipperBackend: ReaderBackend {
  package let scheme = "flipper"
  package let summary = "a Flipper Zero with firmware of 2025 or newer: flipper:/dev/ttyACM0, or flipper for the first"
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let ports: @Sendable () -> [SerialDevice]

  /// Number of the Flipper, and of any other device with a serial port that has the same chip (read: qFlipper's udev
  /// rules).
  private static let usbID = KnownReader.USBID(vendor: 0x0483, product: 0x5740)

  /// `limit`: how long the shell may take for a prompt.
  package init(
    limit: Duration = .seconds(2), clock: any Clock<Duration> = ContinuousClock(),
    ports: @escaping @Sendable () -> [SerialDevice] = { SerialDevice.all() }
  ) {
    self.limit = limit
    self.clock = clock
    self.ports = ports
  }

  /// Opens the port and starts the shell for NFC; the field stays off until a tag is waited for.
  ///
  /// - Throws: `noReader` if no port was named and none is found; `port` with what is wrong with it; `readerUnfit` for
  ///   another device, and with what keeps this one from reading sensors.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard case .flipper(let named) = address else { throw .unknownAddress(address.description) }
    guard let port = named ?? Self.flippers(among: ports()).first else { throw .noReader }
    return try await FrameReader(FlipperDevice(port: port, limit: limit), address: .flipper(port: port), clock: clock)
  }

  /// Those on the USB that call themselves so; no port is opened.
  package func readers() async throws(TransportError) -> [FoundReader] {
    Self.flippers(among: ports()).map {
      FoundReader(address: .flipper(port: $0), name: "Flipper Zero on \($0)", presence: .unknown)
    }
  }

  package func changes() -> ReaderChanges { changes(on: clock, seen: ports) }

  /// Paths of the ports with a Flipper behind them.
  static func flippers(among ports: [SerialDevice]) -> [String] {
    ports.filter { port in
      guard let usb = port.usb, usb.id == usbID else { return false }
      return [usb.manufacturer, usb.product].contains { $0?.hasPrefix("Flipper") == true }
    }.map(\.path)
  }
}
