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

  @Test("a tag comes and goes; other cards and unknown ones are no sensors")
  func tags() {
    let lists = [.nothing, .iso15693, .otherCard, .unknown, .iso15693, .nothing].map { [Self.found("A", $0)] }
    #expect(kinds(lists) == [[.plugged], [.sensorOn], [.sensorOff], [], [.sensorOn], [.sensorOff]])
  }

  @Test("a reader that goes takes its tag along, and one that replaces it is another one")
  func goes() {
    #expect(
      kinds([[Self.found("A", .iso15693)], [Self.found("B")], []])
        == [[.plugged, .sensorOn], [.sensorOff, .gone, .plugged], [.gone]])
  }

  @Test("while a program uses a reader, what is on it counts as unchanged")
  func busy() {
    let lists = [.nothing, .busy, .iso15693, .busy, .iso15693, .busy, .nothing].map { [Self.found("A", $0)] }
    #expect(kinds(lists) == [[.plugged], [], [.sensorOn], [], [], [], [.sensorOff]])
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
  }

  @Test("a backend whose readers cannot come or go gives its list once")
  func once() async {
    var lists = 0
    for await _ in ReplayBackend(file: { _ in [] }).changes() { lists += 1 }
    #expect(lists == 1)
  }
}
