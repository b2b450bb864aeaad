// SPDX-License-Identifier: Apache-2.0

/// Proxmark3 devices on serial ports: `proxmark:PORT`, or `proxmark` for the first one.
///
/// Run against an emulator of the firmware on a pseudo-terminal; untested on hardware.
package struct ProxmarkBackend: ReaderBackend {
  package let scheme = "proxmark"
  package let summary = "a Proxmark3 with firmware v4.18218 or newer: proxmark:/dev/ttyACM0, or proxmark for the first"
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let ports: @Sendable () -> [SerialDevice]

  /// The numbers of all current firmware, and of firmware too old to be used (read: its USB descriptor).
  private static let usbIDs = [
    KnownReader.USBID(vendor: 0x9AC4, product: 0x4B8F), KnownReader.USBID(vendor: 0x2D2D, product: 0x504D),
  ]

  /// `limit`: how long the device may take for a reply; its own client waits two seconds.
  package init(
    limit: Duration = .seconds(2), clock: any Clock<Duration> = ContinuousClock(),
    ports: @escaping @Sendable () -> [SerialDevice] = { SerialDevice.all() }
  ) {
    self.limit = limit
    self.clock = clock
    self.ports = ports
  }

  /// Opens the port and asks the device who it is; the field stays off until a tag is waited for.
  ///
  /// - Throws: `noReader` if no port was named and none is found; `port` with what is wrong with it; `readerUnfit` for
  ///   another device, and for firmware that cannot read sensors.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard case .proxmark(let named) = address else { throw .unknownAddress(address.description) }
    guard let port = named ?? usbPorts.first else { throw .noReader }
    return try await FrameReader(
      ProxmarkDevice(port: port, limit: limit), address: .proxmark(port: port), clock: clock)
  }

  /// Those on the USB, by their numbers; no port is opened.
  package func readers() async throws(TransportError) -> [FoundReader] {
    usbPorts.map { FoundReader(address: .proxmark(port: $0), name: "Proxmark3 on \($0)", presence: .unknown) }
  }

  package func changes() -> ReaderChanges { changes(on: clock, seen: ports) }

  private var usbPorts: [String] {
    ports().filter { $0.usb.map { Self.usbIDs.contains($0.id) } ?? false }.map(\.path)
  }
}
