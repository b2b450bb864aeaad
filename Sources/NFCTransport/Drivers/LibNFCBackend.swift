// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import CGMModel
  import CNFC
  import Glibc
  import HostSystem
  import Synchronization

  /// A PN532Killer (NFCTransport/ReaderDialects, "PN532Killer"). Looks for nothing, because libnfc's search can take a
  /// reader away from PC/SC. Run against Debian's libnfc 1.8.0 with the device played on a pseudo-terminal; untested on
  /// hardware.
  package struct LibNFCBackend: ReaderBackend {
    package let scheme = "nfc"
    package let summary =
      "a PN532Killer by libnfc, which has no ISO 15693 for any other reader: nfc:pn532_uart:/dev/ttyACM0"
    private let deadline: Duration
    private let clock: any Clock<Duration>

    /// `deadline`: how long one exchange may take. What the device needs is not known: untested on hardware.
    package init(deadline: Duration = .milliseconds(500), clock: any Clock<Duration> = ContinuousClock()) {
      self.deadline = deadline
      self.clock = clock
    }

    /// Throws `readerLacks15693` for everything libnfc knows that is not a PN532Killer. Only a serial port is opened to
    /// find that out: behind libnfc's other drivers it cannot be.
    package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      guard address.scheme == scheme, let connstring = address.rest else { throw .unknownAddress(address.description) }
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

    /// Names before the colon of chips that are not on a serial port, or behind another one (read: libnfc 1.8.0,
    /// master).
    private static let otherDrivers: Set = [
      "acr122_pcsc", "acr122_usb", "acr122s", "arygon", "pcsc", "pn532_i2c", "pn532_spi", "pn53x_usb", "pn71xx", "usb",
    ]
  }

  /// A PN532Killer that libnfc has open. Untested on hardware: answers of 24 bytes and more, the custom command for the
  /// patch info, what the device does when a tag is silent, and how long it takes.
  final class LibNFCDevice: FrameDevice {
    let name: String
    private let port: String
    private let deadline: Duration
    private let library: String
    private let milliseconds: Int32
    private let handle = Mutex<Handle?>(nil)

    private struct Handle {
      let libnfc: libre_nfc
      let context: OpaquePointer
      let device: OpaquePointer
      let claim: Int32
    }

    /// `deadline`: how long libnfc waits for each part of an answer, up to a minute.
    init(connstring: String, port: String, deadline: Duration, library: String = LIBRE_NFC_LIBRARY) {
      name = connstring
      self.port = port
      self.deadline = deadline
      self.library = library
      // Not 0, which is for ever.
      milliseconds = Int32(clamping: Int(saturating: min(max(deadline / .milliseconds(1), 1), 60_000)))
    }

    /// libnfc asks up to twenty questions to set a device up, with timeouts of its own; a dead port takes 1.4 s.
    var openingLimit: Duration { .seconds(5) }

    /// Up to three calls of libnfc (see `send`), and each waits for several parts of an answer.
    var exchangeLimit: Duration { deadline * 6 }

    /// Follows NFCTransport/ReaderDialects, "PN532Killer". The description's name is libnfc's for the device.
    func open(address: String, while isWanted: () -> Bool) throws(TransportError) -> ReaderDescription {
      let found = try handle.withLock { handle throws(TransportError) in
        let opened = try connect(try load())
        handle = opened
        let answer = identify(opened)
        // A genuine PN532 refuses the question with its frame for syntax errors, which libnfc calls an input/output
        // error.
        if answer == LIBRE_NFC_EIO, FileSystem.exists(port) { throw .readerLacks15693(name: "PN532 (\(name))") }
        if answer < 0 { throw failure(answer, of: opened) }
        try setUp(opened)
        return opened.libnfc.device_get_name(opened.device).map(String.init(cString:)) ?? name
      }
      return ReaderDescription(address: address, name: found, dialect: "pn532killer")
    }

    /// A silent tag is a radio error to libnfc. After any other failure, which may be garbage, the device is asked who
    /// it is: if it knows, only this answer is lost. One thing cannot be caught: libnfc 1.8.0 ends the whole program
    /// when the device's status byte has its highest bit set (run), which no documented status has.
    func send(
      _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
    ) throws(TransportError) -> [UInt8]? {
      try handle.withLock { handle throws(TransportError) in
        guard let handle else { throw .readerFailed(name: name, reason: "it is closed") }
        // 80 00 stands before a frame of ISO 15693 (read: "PN532Killer Command V0.1", special parameter for 15693).
        let command = [0x80, 0x00] + FrameChecksum.sealed(request.frame)
        var answer = [UInt8](repeating: 0, count: 300)
        let count = handle.libnfc.initiator_transceive_bytes(
          handle.device, command, command.count, &answer, answer.count, milliseconds)
        if count >= 0 { return FrameChecksum.opened(answer.prefix(Int(count))) }
        if count == LIBRE_NFC_ERFTRANS { return nil }
        var identity = identify(handle)
        if identity < 0 {
          // The question may have met an answer that came too late; libnfc throws away what has come before it asks
          // again.
          usleep(50_000)
          identity = identify(handle)
        }
        if identity < 0 { throw failure(identity, of: handle) }
        return nil
      }
    }

    func close() {
      handle.withLock { handle in
        guard let open = handle else { return }
        handle = nil
        _ = open.libnfc.device_set_property_bool(open.device, LIBRE_NP_ACTIVATE_FIELD, false)
        open.libnfc.close(open.device)
        open.libnfc.exit(open.context)
        Glibc.close(open.claim)
      }
    }

    private func load() throws(TransportError) -> libre_nfc {
      var libnfc = libre_nfc()
      var missing: UnsafePointer<CChar>?
      guard libre_nfc_load(library, &libnfc, &missing) else {
        guard let missing else { throw .libraryMissing(library) }
        throw .readerFailed(name: library, reason: "it has no \(String(cString: missing))")
      }
      return libnfc
    }

    private func connect(_ libnfc: libre_nfc) throws(TransportError) -> Handle {
      // libnfc does not say what is wrong with a port, and its own mark on a port in use is lost in glibc (run: bit 31
      // of the input modes never reaches the kernel), so two programs would mix up their bytes.
      let claim: Int32
      do { claim = try SerialPort.claim(port) } catch { throw TransportError(error, port) }
      _ = Self.environment
      // The first start makes a list of drivers, without a lock of libnfc's own.
      let context = Self.starting.withLock { _ in
        var context: OpaquePointer?
        libnfc.`init`(&context)
        return context
      }
      guard let context else {
        Glibc.close(claim)
        throw .readerFailed(name: library, reason: "it does not start")
      }
      guard let device = libnfc.open(context, name) else {
        libnfc.exit(context)
        Glibc.close(claim)
        throw .readerFailed(name: name, reason: "no PN532 answers on \(port)")
      }
      return Handle(libnfc: libnfc, context: context, device: device, claim: claim)
    }

    private static let starting = Mutex(())

    /// Read when libnfc starts: it shall not write to the terminal unless the user says so, nor look for devices.
    private static let environment: Void = {
      setenv("LIBNFC_LOG_LEVEL", "0", 0)
      setenv("LIBNFC_AUTO_SCAN", "false", 1)
    }()

    /// Asks the device whether it is a PN532Killer (read: vendor's python client); less than 0 if it does not say so.
    private func identify(_ handle: Handle) -> Int32 {
      var answer = [UInt8](repeating: 0, count: 300)
      return handle.libnfc.pn53x_transceive(handle.device, [0xAA], 1, &answer, answer.count, milliseconds)
    }

    /// Field on; frames raw, with checksums made and checked here; one attempt each.
    private func setUp(_ handle: Handle) throws(TransportError) {
      let status = handle.libnfc.initiator_init(handle.device)
      if status < 0 { throw failure(status, of: handle) }
      let properties = [
        (LIBRE_NP_EASY_FRAMING, false), (LIBRE_NP_HANDLE_CRC, false), (LIBRE_NP_HANDLE_PARITY, true),
        (LIBRE_NP_INFINITE_SELECT, false),
      ]
      for (property, value) in properties {
        let status = handle.libnfc.device_set_property_bool(handle.device, property, value)
        if status < 0 { throw failure(status, of: handle) }
      }
    }

    private func failure(_ code: Int32, of handle: Handle) -> TransportError {
      guard FileSystem.exists(port) else { return .readerUnplugged(name: name) }
      if code == LIBRE_NFC_ETIMEOUT { return .readerSilent(name: name) }
      let reason = handle.libnfc.strerror(handle.device).map(String.init(cString:))
      return .readerFailed(name: name, reason: reason ?? "error \(code)")
    }
  }
#endif
