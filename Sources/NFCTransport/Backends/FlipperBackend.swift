// SPDX-License-Identifier: Apache-2.0

/// A Flipper Zero on a serial port over USB, by the command `raw` of its shell for NFC: `flipper:PORT`, or `flipper:` for
/// the first one that is plugged in.
///
/// Untested on hardware: everything was read in the firmware's sources and run against an emulator.
public struct FlipperBackend: ReaderBackend {
  public let scheme = "flipper"
  public let summary = "a Flipper Zero on its USB port: flipper:/dev/ttyACM0, or flipper: for the first one"
  private let devices: @Sendable () -> [SerialDevice]
  private let clock: any Clock<Duration>

  public init() { self.init(devices: { SerialDevice.all() }) }

  /// `devices`: the serial ports of this machine. `clock`: measures the waits between two looks for a sensor.
  init(devices: @escaping @Sendable () -> [SerialDevice], clock: any Clock<Duration> = ContinuousClock()) {
    self.devices = devices
    self.clock = clock
  }

  /// Opens the port and starts the Flipper's shell for NFC.
  ///
  /// - Throws: `noReader`, `port`, `readerUnfit` with what keeps this Flipper from reading sensors, `readerSilent`.
  public func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    guard case .flipper(let port) = address else { throw .unknownAddress(address.description) }
    let path = try Self.path(port, among: devices())
    return try await FlipperReader(path, address: address, clock: clock)
  }

  public func readers() async throws(TransportError) -> [FoundReader] {
    devices().filter(\.isFlipper).map { device in
      FoundReader(
        address: .flipper(port: device.path), name: device.usb?.product ?? "Flipper Zero", presence: .unknown)
    }
  }

  /// The port that is named, or that of the first Flipper.
  static func path(_ port: String?, among devices: [SerialDevice]) throws(TransportError) -> String {
    guard let path = port ?? devices.first(where: \.isFlipper)?.path else { throw .noReader }
    return path
  }
}

extension SerialDevice {
  /// Its USB id is a general one of its chip's maker, so that the text decides (read: qFlipper's udev rules).
  var isFlipper: Bool {
    usb?.id == KnownReader.flipperID
      && (usb?.manufacturer?.hasPrefix("Flipper") == true || usb?.product?.hasPrefix("Flipper") == true)
  }
}
