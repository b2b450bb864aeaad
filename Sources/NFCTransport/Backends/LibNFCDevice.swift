// SPDX-License-Identifier: Apache-2.0
#if LibNFC
  import CNFC
  import Glibc
  import Synchronization

  /// The C side of a `LibNFCReader`. Its functions block, so call them on the reader's thread.
  final class LibNFCDevice: Sendable {
    let connstring: String
    private let port: LibNFCPort
    private let library: String
    private let milliseconds: Int32
    private let handle = Mutex<Handle?>(nil)

    private struct Handle {
      let libnfc: libre_nfc
      let context: OpaquePointer
      let device: OpaquePointer
      let portLock: Int32
    }

    /// Creates a closed device. `deadline`: libnfc's timeout for each part of an answer, up to a minute.
    init(connstring: String, port: LibNFCPort, deadline: Duration, library: String = LIBRE_NFC_LIBRARY) {
      self.connstring = connstring
      self.port = port
      self.library = library
      // Not 0: libnfc would wait for ever.
      milliseconds = Int32(min(max(deadline / .milliseconds(1), 1), 60_000))
    }

    /// Loads libnfc, opens the port, identifies the device and switches it to raw frames (the sequence of
    /// NFCTransport/ReaderDialects, "PN532Killer", run against an emulator).
    ///
    /// Returns libnfc's name for the device. Call `close` also after an error.
    func open() throws(TransportError) -> String {
      try handle.withLock { handle throws(TransportError) in
        let opened = try connect(try load())
        handle = opened
        let answer = identify(opened)
        // A genuine PN532 refuses the question with its syntax-error frame, which libnfc reports as an input/output
        // error.
        if answer == LIBRE_NFC_EIO, port.exists { throw .readerLacks15693(name: "PN532 (\(connstring))") }
        if answer < 0 { throw failure(answer, of: opened) }
        try setUp(opened)
        return opened.libnfc.device_get_name(opened.device).map(String.init(cString:)) ?? connstring
      }
    }

    /// Sends `frame` to the tag and returns its answer without checksum; nil without a possible answer.
    /// libnfc reports a silent tag as a radio error. Any other failure may be garbage from the device or a lost device,
    /// so the device is asked to identify itself: if it does, only this answer is lost. One failure cannot be caught:
    /// libnfc 1.8.0 ends the whole program if the highest bit of the device's status byte is set (run); no documented
    /// status sets it.
    func send(_ frame: [UInt8]) throws(TransportError) -> [UInt8]? {
      try handle.withLock { handle throws(TransportError) in
        guard let handle else { throw .readerFailed(name: connstring, reason: "the device is closed") }
        // 80 00 precedes an ISO 15693 frame (read: "PN532Killer Command V0.1", special parameter for 15693).
        let request = [0x80, 0x00] + FrameChecksum.sealed(frame)
        var answer = [UInt8](repeating: 0, count: 300)
        let count = handle.libnfc.initiator_transceive_bytes(
          handle.device, request, request.count, &answer, answer.count, milliseconds)
        if count >= 0 { return FrameChecksum.opened(answer.prefix(Int(count))) }
        if count == LIBRE_NFC_ERFTRANS { return nil }
        var identity = identify(handle)
        if identity < 0 {
          // The question may have crossed a late answer; libnfc discards received bytes before it asks again.
          usleep(50_000)
          identity = identify(handle)
        }
        if identity < 0 { throw failure(identity, of: handle) }
        return nil
      }
    }

    /// Switches the field off and gives the port back.
    func close() {
      handle.withLock { handle in
        guard let open = handle else { return }
        handle = nil
        _ = open.libnfc.device_set_property_bool(open.device, LIBRE_NP_ACTIVATE_FIELD, false)
        open.libnfc.close(open.device)
        open.libnfc.exit(open.context)
        Glibc.close(open.portLock)
      }
    }

    private func load() throws(TransportError) -> libre_nfc {
      var libnfc = libre_nfc()
      var missing: UnsafePointer<CChar>?
      guard libre_nfc_load(library, &libnfc, &missing) else {
        guard let missing else { throw .libraryMissing(library) }
        throw .readerFailed(name: library, reason: "function not found: \(String(cString: missing))")
      }
      return libnfc
    }

    private func connect(_ libnfc: libre_nfc) throws(TransportError) -> Handle {
      let portLock = try port.lock(for: connstring)
      _ = Self.environment
      // The first start builds a list of drivers, and libnfc does not lock it.
      let context = Self.starting.withLock { _ in
        var context: OpaquePointer?
        libnfc.`init`(&context)
        return context
      }
      guard let context else {
        Glibc.close(portLock)
        throw .readerFailed(name: library, reason: "libnfc does not start")
      }
      guard let device = libnfc.open(context, connstring) else {
        libnfc.exit(context)
        Glibc.close(portLock)
        throw .readerFailed(name: connstring, reason: "no PN532 answers on \(port.path)")
      }
      return Handle(libnfc: libnfc, context: context, device: device, portLock: portLock)
    }

    private static let starting = Mutex(())

    /// libnfc reads these when it starts: no output to the terminal, unless the user chose a log level, and no
    /// search for devices.
    private static let environment: Void = {
      setenv("LIBNFC_LOG_LEVEL", "0", 0)
      setenv("LIBNFC_AUTO_SCAN", "false", 1)
    }()

    /// Asks the device whether it is a PN532Killer (read: vendor's python client); negative unless it confirms.
    private func identify(_ handle: Handle) -> Int32 {
      var answer = [UInt8](repeating: 0, count: 300)
      return handle.libnfc.pn53x_transceive(handle.device, [0xAA], 1, &answer, answer.count, milliseconds)
    }

    /// Switches the field on; frames raw, with checksums made and checked here; one attempt each.
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
      guard port.exists else { return .readerUnplugged(name: connstring) }
      if code == LIBRE_NFC_ETIMEOUT { return .readerSilent(name: connstring) }
      let reason = handle.libnfc.strerror(handle.device).map(String.init(cString:))
      return .readerFailed(name: connstring, reason: reason ?? "error \(code)")
    }
  }
#endif
