// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization
import TestSupport
import Testing

@testable import NFCTransport

@Suite("Readers that come and go")
struct ReaderChangesTests {
  private static func found(_ name: String, _ presence: FoundReader.Presence = .nothing) -> FoundReader {
    FoundReader(address: .pcsc(name: name), name: name, presence: presence)
  }

  private func kinds(_ lists: [[FoundReader]]) -> [[ReaderChange.Kind]] {
    var roll = ReaderRoll()
    return lists.map { roll.changes(to: $0).map(\.kind) }
  }

  @Test("those that are there come first, each with its tag")
  func first() {
    var roll = ReaderRoll()
    let (empty, taken) = (Self.found("A"), Self.found("B", .iso15693))
    #expect(
      roll.changes(to: [empty, taken]) == [
        ReaderChange(.plugged, empty), ReaderChange(.plugged, taken), ReaderChange(.sensorOn, taken),
      ])
    #expect(roll.changes(to: [empty, taken]).isEmpty)
  }

  @Test("readers and tags come and go; other cards and unknown ones are no sensors")
  func tags() {
    func lists(_ all: [FoundReader.Presence]) -> [[FoundReader]] { all.map { [Self.found("A", $0)] } }
    #expect(
      kinds(lists([.nothing, .iso15693, .otherCard, .unknown, .iso15693, .nothing]))
        == [[.plugged], [.sensorOn], [.sensorOff], [], [.sensorOn], [.sensorOff]])
    // A reader that goes takes its tag along, and one that replaces it is another one.
    #expect(
      kinds([[Self.found("A", .iso15693)], [Self.found("B")], []])
        == [[.plugged, .sensorOn], [.sensorOff, .gone, .plugged], [.gone]])
    // While a program uses a reader, what is on it counts as unchanged.
    #expect(
      kinds(lists([.nothing, .busy, .iso15693, .busy, .iso15693, .busy, .nothing]))
        == [[.plugged], [], [.sensorOn], [], [], [], [.sensorOff]])
  }

  @Test("a serial reader is listed anew when a port comes, once it has its access list, and when it goes")
  func ports() async throws {
    let usb = USBDevice(id: .init(vendor: 0x9AC4, product: 0x4B8F), product: "proxmark3", isCardReader: false)
    let (closed, open) = (
      SerialDevice(path: "/dev/ttyACM0", isUsable: false, usb: usb),
      SerialDevice(path: "/dev/ttyACM0", isUsable: true, usb: usb)
    )
    let looks = Mutex([[], [], [closed], [open]])
    let ports: @Sendable () -> [SerialDevice] = {
      looks.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
    var lists = ProxmarkBackend(clock: SleptClock(), ports: ports).changes().makeAsyncIterator()
    // A list that nobody has taken gives way to the next one.
    func list(until isWanted: ([FoundReader]) -> Bool) async throws -> [FoundReader] {
      while let list = try await lists.next()?.get() { if isWanted(list) { return list } }
      return []
    }
    #expect(try await list { !$0.isEmpty }.map(\.address) == [.proxmark(port: "/dev/ttyACM0")])
    looks.withLock { $0 = [[]] }
    #expect(try await list { $0.isEmpty }.isEmpty)
    // A backend whose readers cannot come or go gives its list once.
    var count = 0
    for await _ in ReplayBackend(file: { _ in [] }).changes() { count += 1 }
    #expect(count == 1)
  }
}

@Suite("The default reader")
struct AutomaticBackendTests {
  /// Opens a sensor with the address as the name of its reader.
  private struct Stub: ReaderBackend {
    let scheme: String
    var summary: String { scheme }
    let answer: Result<[FoundReader], TransportError>

    func readers() async throws(TransportError) -> [FoundReader] { try answer.get() }

    func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      if try answer.get().isEmpty { throw .noReader }
      return SimulatedTag(address: address.description) { _ in MemoryImage(bytes: []) }
    }
  }

  private static func pcsc(_ names: String..., presence: FoundReader.Presence = .nothing) -> Stub {
    Stub(
      scheme: "pcsc",
      answer: .success(names.map { FoundReader(address: .pcsc(name: $0), name: $0, presence: presence) }))
  }

  private static let laptop = "Alcor Micro AU9540 00 00"
  private static let noService = Stub(scheme: "pcsc", answer: .failure(.noDaemon))
  private static let proxmark = Stub(
    scheme: "proxmark",
    answer: .success([
      FoundReader(address: .proxmark(port: "/dev/ttyACM0"), name: "Proxmark3 on /dev/ttyACM0", presence: .unknown)
    ]))
  private static let noProxmark = Stub(scheme: "proxmark", answer: .success([]))

  private func taken(_ choices: [Stub]) async throws -> String {
    try await AutomaticBackend(among: choices).open(.automatic).description.address
  }

  @Test("is a PC/SC reader that can read sensors, then a Proxmark3, then any other PC/SC reader")
  func order() async throws {
    for (choices, address) in [
      ([Self.pcsc(ReaderMachine.acr1552), Self.proxmark], "pcsc"), ([Self.pcsc(), Self.proxmark], "proxmark"),
      ([Self.pcsc(ReaderMachine.acr122), Self.proxmark], "proxmark"),
      ([Self.pcsc(Self.laptop), Self.proxmark], "proxmark"), ([Self.noService, Self.proxmark], "proxmark"),
      ([Self.pcsc(ReaderMachine.acr1552, presence: .busy), Self.proxmark], "proxmark"),
      ([Self.pcsc(Self.laptop), Self.noProxmark], "pcsc"),
    ] {
      #expect(try await taken(choices) == address)
    }
    for (choices, error) in [
      ([Self.noService, Self.noProxmark], TransportError.noDaemon), ([Self.pcsc(), Self.noProxmark], .noReader),
      ([], .noReader),
    ] {
      await #expect(throws: error) { try await taken(choices) }
    }
  }
}
