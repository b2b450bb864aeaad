// SPDX-License-Identifier: Apache-2.0
import HostSystem
import Synchronization

/// An Android phone as a reader: `phone`, at the USB cable, or `phone:PORT`, which the user brings to a TCP port of this
/// machine. The app NFCGate passes frames on (NFCTransport/OtherReaders, "Android phone"). Run against an emulator of
/// the app; untested on hardware.
package struct PhoneBackend: ReaderBackend {
  package let scheme = "phone"
  package let summary = "an Android phone at the USB cable, by adb and the app NFCGate: phone, or phone:PORT"
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let phones: @Sendable () -> [USBDevice]
  private let onListening: @Sendable (UInt16) -> Void

  /// `limit`: how long the phone may take for an answer. `onListening` gets the port once phones can connect.
  package init(
    limit: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(),
    phones: @escaping @Sendable () -> [USBDevice] = { USBDevice.all().filter(\.isDebuggedPhone) },
    onListening: @escaping @Sendable (UInt16) -> Void = { _ in }
  ) {
    (self.limit, self.clock, self.phones, self.onListening) = (limit, clock, phones, onListening)
  }

  package static let usualPort: UInt16 = 5_566
  /// The settings of the app that lead to a port.
  package static func settings(port: String) -> String {
    "in NFCGate's settings: host 127.0.0.1, port \(port), session 1, TLS off"
  }
  package static let role = "choose Relay, then Reader"

  /// The phone may connect later. Throws `readerUnfit` with what keeps the cable from being used, `port` if another
  /// program has the port.
  package func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
    let number = address.rest.map { UInt16($0) } ?? Self.usualPort
    guard address.scheme == scheme, let number else { throw .unknownAddress(address.description) }
    return try await open(port: number, usesCable: address.rest == nil, as: address)
  }

  /// Awaits a phone at a port, which is any that is free for 0.
  package func open(
    port: UInt16, usesCable: Bool = false, as address: ReaderAddress
  ) async throws(TransportError) -> any TagReader {
    let device = PhoneDevice(port: port, usesCable: usesCable, limit: limit, onListening: onListening)
    return try await FrameReader(device, address: address, clock: clock)
  }

  /// Phones on the USB that allow debugging; adb is not asked, because that would start its service.
  package func readers() async throws(TransportError) -> [FoundReader] {
    phones().map { phone in
      let name = [phone.manufacturer, phone.product].compactMap(\.self).joined(separator: " ")
      return FoundReader(
        address: .phone(port: nil), name: "\(name.isEmpty ? "phone" : name), by NFCGate", presence: .unknown)
    }
  }

  package func changes() -> ReaderChanges { changes(on: clock, seen: phones) }
}

/// A phone, or the port at which it is awaited.
private final class PhoneDevice: FrameDevice {
  let name = "phone"
  private let number: UInt16
  /// True to lead the phone here by adb; otherwise the user has done it.
  private let usesCable: Bool
  private let limit: Duration
  private let onListening: @Sendable (UInt16) -> Void
  private let state = Mutex(State())

  private struct State {
    var port: LoopbackPort?
    var conversation: PhoneConversation?
    /// The fault of the last connection.
    var fault: TransportError?
  }

  init(
    port number: UInt16, usesCable: Bool, limit: Duration, onListening: @escaping @Sendable (UInt16) -> Void
  ) {
    (self.number, self.usesCable, self.limit, self.onListening) = (number, usesCable, limit, onListening)
  }

  /// The first start of adb's service takes seconds.
  let openingLimit = Duration.seconds(20)
  /// A frame, an inventory and the addressed frame, and what is waited for before.
  var exchangeLimit: Duration { limit * 4 + .seconds(1) }

  func open(address: String, while isWanted: () -> Bool) throws(TransportError) -> ReaderDescription {
    do throws(ADB.Fault) {
      if usesCable { try ADB.connect(number) }
    } catch {
      throw .readerUnfit(name: name, reason: error.reason, remedy: error.remedy)
    }
    let port: LoopbackPort
    do { port = try LoopbackPort(number) } catch { throw TransportError(error, "TCP port \(number)") }
    state.withLock { $0.port = port }
    onListening(port.number)
    return ReaderDescription(address: address, name: "phone with NFCGate", dialect: "nfcgate")
  }

  func send(
    _ request: ISO15693.Request, startsAfresh: Bool, while isWanted: () -> Bool
  ) throws(TransportError) -> [UInt8]? {
    try state.withLock { state throws(TransportError) in
      guard let port = state.port else { throw .readerFailed(name: name, reason: "it is closed") }
      accept(from: port, &state)
      guard var conversation = state.conversation else { return nil }
      do throws(TransportError) {
        defer { state.conversation = conversation }
        return try conversation.exchange(request, startsAfresh: startsAfresh, while: isWanted)
      } catch {
        if error == .cancelled { throw error }
        // Another one may connect, or the same once it is set up.
        conversation.end()
        state.conversation = nil
        state.fault = error.isAbsence ? nil : error
        return nil
      }
    }
  }

  /// Takes the first phone that connects, and turns others away.
  private func accept(from port: LoopbackPort, _ state: inout State) {
    if state.conversation == nil { port.wait(until: .now + .milliseconds(200)) }
    while let line = port.accept() {
      if state.conversation == nil {
        state.conversation = PhoneConversation(DeviceLine(line, name: name), name: name, limit: limit)
      } else {
        line.close()
      }
    }
  }

  func close() {
    let port = state.withLock { state in
      state.conversation?.end()
      state.conversation = nil
      return state.port.take()
    }
    if let port, usesCable { ADB.disconnect(port.number) }
  }

  var noTag: TransportError {
    state.withLock { state in
      if let fault = state.fault, state.conversation == nil { return fault }
      return state.conversation == nil ? .noPhone(port: Int(state.port?.number ?? number)) : .noTag
    }
  }
}
