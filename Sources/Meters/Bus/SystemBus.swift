// SPDX-License-Identifier: Apache-2.0
#if Bluetooth
  import CSystemBus
  import HostSystem

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The system's message bus, through sd-bus and without callbacks (Decisions/0001).
  final class SystemBus: BusConnection {
    private let library: libre_bus
    private let bus: OpaquePointer
    /// Calls to objects of ours that are not yet answered.
    private var open: [UInt64: OpaquePointer] = [:]
    private var count: UInt64 = 0
    private var isClosed = false
    let alarm = WakePipe()

    /// Connects to the system's bus: the one that DBUS_SYSTEM_BUS_ADDRESS names, or the usual one.
    convenience init(environment: [String: String]) throws(BluetoothError) {
      try self.init(address: environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket")
    }

    init(address: String) throws(BluetoothError) {
      library = try SystemBusLibrary.loaded.get().functions
      var opened: OpaquePointer?
      var result = library.new(&opened)
      guard result >= 0, let opened else { throw .noBus(reason: Self.reason(result)) }
      bus = opened
      result = library.set_address(bus, address)
      if result >= 0 { result = library.set_bus_client(bus, 1) }
      if result >= 0 { result = library.start(bus) }
      guard result < 0 else { return }
      close()
      throw result == -EACCES || result == -EPERM ? .accessDenied : .noBus(reason: Self.reason(result))
    }

    deinit { close() }

    var now: Duration {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    func close() {
      guard !isClosed else { return }
      isClosed = true
      for message in open.values { _ = library.message_unref(message) }
      open = [:]
      _ = library.flush_close_unref(bus)
    }

    private static func reason(_ result: Int32) -> String { String(cString: strerror(-result)) }

    private func check(_ result: Int32) throws(BluetoothError) {
      guard result < 0 else { return }
      throw .busLost(reason: Self.reason(result))
    }

    // MARK: Sending

    func send(_ call: BusCall) throws(BluetoothError) -> UInt64 {
      guard !isClosed else { throw .busLost(reason: "closed") }
      var message: OpaquePointer?
      try check(
        library.message_new_method_call(bus, &message, call.destination, call.path, call.interface, call.member))
      defer { _ = library.message_unref(message) }
      for argument in call.arguments { try append(argument, to: message) }
      var cookie: UInt64 = 0
      try check(library.send(bus, message, &cookie))
      return cookie
    }

    private func append(_ argument: BusCall.Argument, to message: OpaquePointer?) throws(BluetoothError) {
      switch argument {
      case .text(let text): try append(text, "s", to: message)
      case .path(let path): try append(path, "o", to: message)
      case .bytes(let bytes): try check(library.message_append_array(message, Self.code("y"), bytes, bytes.count))
      case .boolean(let value):
        try check(library.message_open_container(message, Self.code("v"), "b"))
        var number: Int32 = value ? 1 : 0
        try check(library.message_append_basic(message, Self.code("b"), &number))
        try check(library.message_close_container(message))
      case .number(var number): try check(library.message_append_basic(message, Self.code("u"), &number))
      case .signedNumber(var number): try check(library.message_append_basic(message, Self.code("i"), &number))
      case .noTexts:
        try check(library.message_open_container(message, Self.code("a"), "s"))
        try check(library.message_close_container(message))
      case .hint(let key, var value):
        try check(library.message_open_container(message, Self.code("a"), "{sv}"))
        try check(library.message_open_container(message, Self.code("e"), "sv"))
        try append(key, "s", to: message)
        try check(library.message_open_container(message, Self.code("v"), "y"))
        try check(library.message_append_basic(message, Self.code("y"), &value))
        for _ in 0..<3 { try check(library.message_close_container(message)) }
      case .options(let options):
        try check(library.message_open_container(message, Self.code("a"), "{sv}"))
        for (key, value) in options {
          try check(library.message_open_container(message, Self.code("e"), "sv"))
          try append(key, "s", to: message)
          try check(library.message_open_container(message, Self.code("v"), "s"))
          try append(value, "s", to: message)
          try check(library.message_close_container(message))
          try check(library.message_close_container(message))
        }
        try check(library.message_close_container(message))
      }
    }

    private func append(_ text: String, _ type: Unicode.Scalar, to message: OpaquePointer?) throws(BluetoothError) {
      try check(library.message_append_basic(message, Self.code(type), text))
    }

    private static func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }

    func answer(_ call: UInt64, _ answer: BusAnswer) {
      guard !isClosed, let received = open.removeValue(forKey: call) else { return }
      defer { _ = library.message_unref(received) }
      var message: OpaquePointer?
      let result: Int32
      if case .error(let name) = answer {
        result = name.withCString { name in
          var error = libre_bus_error(name: name, message: nil, needs_free: 0)
          return library.message_new_method_error(received, &message, &error)
        }
      } else {
        result = library.message_new_method_return(received, &message)
      }
      guard result >= 0 else { return }
      switch answer {
      case .passkey(var number): _ = library.message_append_basic(message, Self.code("u"), &number)
      case .pinCode(let text): _ = library.message_append_basic(message, Self.code("s"), text)
      case .done, .error: break
      }
      // A failure shows at the next call of `next`.
      _ = library.send(bus, message, nil)
      _ = library.message_unref(message)
    }

    // MARK: Receiving

    func next() throws(BluetoothError) -> BusMessage? {
      while !isClosed {
        var arrived: OpaquePointer?
        let result = library.process(bus, &arrived)
        try check(result)
        if result == 0 { return nil }
        guard let arrived else { continue }
        let message = message(arrived)
        // A call is kept for its answer.
        if case .call(let number, _) = message { open[number] = arrived } else { _ = library.message_unref(arrived) }
        if let message { return message }
      }
      throw .busLost(reason: "closed")
    }

    func wait(until end: Duration) throws(BluetoothError) {
      let left = end - now
      guard left > .zero else { return }
      let milliseconds = min(left / .milliseconds(1), 1_000_000).rounded(.up)
      let events = library.get_events(bus)
      try check(events)
      var descriptors = [
        pollfd(fd: library.get_fd(bus), events: Int16(truncatingIfNeeded: events), revents: 0),
        pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&descriptors, 2, Int32(milliseconds))
      alarm.lower()
    }

    /// A message as a value; nil for one that is not needed or does not keep to the rules.
    private func message(_ arrived: OpaquePointer) -> BusMessage? {
      var type: UInt8 = 0
      guard library.message_get_type(arrived, &type) >= 0 else { return nil }
      switch Int32(type) {
      case LIBRE_BUS_METHOD_RETURN: return cookie(arrived).map { .reply(to: $0, values(arrived)) }
      case LIBRE_BUS_METHOD_ERROR:
        let error = library.message_get_error(arrived)?.pointee
        return cookie(arrived).map { .failure(to: $0, name: Self.text(error?.name), text: Self.text(error?.message)) }
      case LIBRE_BUS_SIGNAL: return .signal(notice(arrived))
      case LIBRE_BUS_METHOD_CALL:
        count += 1
        return .call(count, notice(arrived))
      default: return nil
      }
    }

    private func cookie(_ arrived: OpaquePointer) -> UInt64? {
      var cookie: UInt64 = 0
      return library.message_get_reply_cookie(arrived, &cookie) >= 0 ? cookie : nil
    }

    private func notice(_ arrived: OpaquePointer) -> BusNotice {
      BusNotice(
        sender: Self.text(library.message_get_sender(arrived)), path: Self.text(library.message_get_path(arrived)),
        interface: Self.text(library.message_get_interface(arrived)),
        member: Self.text(library.message_get_member(arrived)), body: values(arrived))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    /// All values up to the end of the message or of the container that was entered.
    private func values(_ message: OpaquePointer) -> [BusValue] {
      var values: [BusValue] = []
      while let value = value(message) { values.append(value) }
      return values
    }

    /// The next value; nil at the end. The bus lets a message nest to 64 levels only, so this ends.
    private func value(_ message: OpaquePointer) -> BusValue? {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      guard library.message_peek_type(message, &type, &contents) > 0 else { return nil }
      switch Unicode.Scalar(UInt8(bitPattern: type)) {
      case "y": return number(message, type, UInt8(0))
      case "n": return number(message, type, Int16(0))
      case "q": return number(message, type, UInt16(0))
      case "i": return number(message, type, Int32(0))
      case "u": return number(message, type, UInt32(0))
      case "x": return number(message, type, Int64(0))
      case "t": return number(message, type, UInt64(0))
      case "b": return number(message, type, Int32(0))?.number.map { .boolean($0 != 0) }
      case "s", "o", "g":
        var text: UnsafePointer<CChar>?
        return library.message_read_basic(message, type, &text) > 0 ? .text(Self.text(text)) : nil
      case "a": return array(message, contents)
      case "v": return inside(message, type, contents)?.first ?? .other
      case "r", "e": return inside(message, type, contents).map { .structure($0) }
      default: return library.message_skip(message, nil) > 0 ? .other : nil
      }
    }

    private func number(_ message: OpaquePointer, _ type: CChar, _ zero: some FixedWidthInteger) -> BusValue? {
      var number = zero
      guard library.message_read_basic(message, type, &number) > 0 else { return nil }
      return Int64(exactly: number).map { .number($0) } ?? .other
    }

    private func array(_ message: OpaquePointer, _ contents: UnsafePointer<CChar>?) -> BusValue? {
      let element = Self.text(contents)
      if element == "y" {
        var start: UnsafeRawPointer?
        var size = 0
        guard library.message_read_array(message, Self.code("y"), &start, &size) >= 0 else { return nil }
        return .bytes(Array(UnsafeRawBufferPointer(start: start, count: size)))
      }
      guard let values = inside(message, Self.code("a"), contents) else { return nil }
      guard element.hasPrefix("{") else { return .array(values) }
      var entries: [String: BusValue] = [:]
      for case .structure(let entry) in values {
        guard entry.count == 2, let key = entry[0].text else { return .other }
        entries[key] = entry[1]
      }
      return .dictionary(entries)
    }

    private func inside(_ message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?) -> [BusValue]? {
      guard library.message_enter_container(message, type, contents) > 0 else { return nil }
      let values = values(message)
      return library.message_exit_container(message) >= 0 ? values : nil
    }
  }

  /// sd-bus.
  ///
  /// Unchecked: a table of C functions that never changes is safe to share.
  struct SystemBusLibrary: @unchecked Sendable {
    let functions: libre_bus

    /// Loaded once in a process. `libraryMissing` names the library, or the function that it lacks.
    static let loaded: Result<SystemBusLibrary, BluetoothError> = {
      var functions = libre_bus()
      guard let missing = libre_bus_load(&functions).map({ String(cString: $0) }) else {
        return .success(SystemBusLibrary(functions: functions))
      }
      return .failure(.libraryMissing(missing == LIBRE_BUS_LIBRARY ? missing : "\(missing) in \(LIBRE_BUS_LIBRARY)"))
    }()
  }
#endif
