// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Synchronization
import TestSupport
import Testing

@testable import NFCTransport

@Suite("A reader that is waited for")
struct WaitingReaderTests {
  /// A backend whose reader comes and goes by the test's word.
  private final class Desk: ReaderBackend {
    let scheme = "pcsc"
    let summary = ""
    /// What each attempt to open gives; the last one stays.
    private let attempts: Mutex<[Result<Tag, TransportError>]>
    private let stream: ReaderChanges
    let change: ReaderChanges.Continuation
    let opened = Mutex(0)

    init(_ attempts: [Result<Tag, TransportError>], changes: Int = 0) {
      self.attempts = Mutex(attempts)
      (stream, change) = ReaderChanges.makeStream()
      for _ in 0..<changes { change.yield(.success([])) }
    }

    func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      opened.withLock { $0 += 1 }
      return try attempts.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
    }

    func changes() -> ReaderChanges { stream }
  }

  /// A reader that gives each of these results to `waitForTag` and `exchange`, the last one for ever.
  actor Tag: TagReader {
    nonisolated let description = ReaderDescription(address: "pcsc", name: "Desk 3000", dialect: "none")
    private var waits: [Result<Void, TransportError>]
    private let answer: Result<[UInt8], TransportError>
    private(set) var isClosed = false
    private(set) var limits: [Duration] = []

    init(
      waits: [Result<Void, TransportError>] = [.success(())], answer: Result<[UInt8], TransportError> = .success([0])
    ) {
      self.waits = waits
      self.answer = answer
    }

    func waitForTag(within timeout: Duration) throws(TransportError) {
      limits.append(timeout)
      try (waits.count > 1 ? waits.removeFirst() : waits[0]).get()
    }
    func exchange(_ request: ISO15693.Request) throws(TransportError) -> [UInt8] { try answer.get() }
    func waitForRemoval() throws(TransportError) { try waits[0].get() }
    func close() { isClosed = true }
  }

  private final class Events: Sendable {
    private let list = Mutex<[WaitingReader.Event]>([])
    var all: [WaitingReader.Event] { list.withLock { $0 } }
    func add(_ event: WaitingReader.Event) { list.withLock { $0.append(event) } }
  }

  private static let gone = TransportError.readerUnplugged(name: "Desk 3000")
  private static let ready = WaitingReader.Event.ready(
    ReaderDescription(address: "pcsc", name: "Desk 3000", dialect: "none"))
  private let events = Events()

  private func reader(_ desk: Desk, at address: ReaderAddress = .pcsc(name: nil)) -> WaitingReader {
    WaitingReader(desk, at: address, clock: SleptClock()) { [events] in events.add($0) }
  }

  /// The result of each attempt to open, the changes of the list of readers, and what is said.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let attempts: [Result<Tag, TransportError>]
    let changes: Int
    let events: [WaitingReader.Event]
  }

  /// A reader that fails in this way when a tag is waited for.
  private static func failing(_ error: TransportError) -> Result<Tag, TransportError> {
    .success(Tag(waits: [.failure(error)]))
  }
  private static let none = Result<Tag, TransportError>.failure(.noReader)
  private static let lacks = TransportError.readerLacks15693(name: "ACR122U")

  static let cases = [
    Case(testDescription: "used without a word if it is there", attempts: [.success(Tag())], changes: 0, events: []),
    Case(
      testDescription: "waited for until it comes, which is said once, however often the list changes meanwhile",
      attempts: [none, none, none, none, .success(Tag())], changes: 4, events: [.waits(.noReader), ready]),
    Case(
      testDescription: "waited for again after it was unplugged; the plug is named, not the empty list that follows",
      attempts: [failing(gone), none, none, .success(Tag())], changes: 2, events: [.waits(gone), ready]),
    Case(
      testDescription: "used again without a word if it is back at once, as after a restart of its service",
      attempts: [failing(.noDaemon), .success(Tag())], changes: 0, events: []),
    Case(
      testDescription: "a reader that cannot be used is named when it comes in place of the other one",
      attempts: [failing(gone), none, none, .failure(lacks), .failure(lacks), none, .success(Tag())], changes: 5,
      events: [.waits(gone), .waits(lacks), .waits(.noReader), ready]),
    Case(
      testDescription: "access that is denied later, as while another user has the screen, is waited for",
      attempts: [failing(.accessDenied), .failure(.accessDenied), .failure(.accessDenied), .success(Tag())],
      changes: 2, events: [.waits(.accessDenied), ready]),
  ]

  @Test("is closed and opened anew until a tag can come", arguments: cases)
  func waits(given: Case) async throws {
    let desk = Desk(given.attempts, changes: given.changes)
    try await reader(desk).waitForTag(within: .seconds(60))
    #expect(events.all == given.events)
    #expect(desk.opened.withLock { $0 } == given.attempts.count)
    for case .success(let tag) in given.attempts.dropLast() { #expect(await tag.isClosed) }
  }

  @Test(
    "an error that no reader could change ends the wait",
    arguments: [
      TransportError.unknownAddress("x"), .libraryMissing("x"), .accessDenied, .port(path: "x", .denied(group: nil)),
    ])
  func permanent(_ error: TransportError) async {
    await #expect(throws: error) { try await reader(Desk([.failure(error)])).waitForTag(within: .seconds(60)) }
    #expect(events.all.isEmpty && error.isPermanent)
  }

  @Test("unplugged in the middle of a read it fails that read, and the next one waits without saying it again")
  func middle() async throws {
    let first = Tag(answer: .failure(Self.gone))
    let desk = Desk(
      [.success(first), .failure(Self.gone), .failure(Self.gone), .success(Tag())], changes: 2)
    let reader = reader(desk)
    try await reader.waitForTag(within: .seconds(60))
    await #expect(throws: Self.gone) { try await reader.exchange(.inventory) }
    try await reader.waitForRemoval()
    try await reader.waitForTag(within: .seconds(60))
    #expect(events.all == [Self.ready])
  }

  @Test("a reader that fails in the middle of a read is left alone for a while, and then opened anew")
  func failure() async throws {
    let clock = SleptClock()
    let broken = Tag(answer: .failure(.readerFailed(name: "Desk 3000", reason: "0x1")))
    let reader = WaitingReader(Desk([.success(broken), .success(Tag())]), at: .pcsc(name: nil), clock: clock) { _ in }
    try await reader.waitForTag(within: .seconds(60))
    await #expect(throws: TransportError.self) { try await reader.exchange(.inventory) }
    #expect(await !broken.isClosed)
    try await reader.waitForTag(within: .seconds(60))
    #expect(await broken.isClosed)
    #expect(clock.now.slept > .zero)
    // A tag that is taken away is the business of whoever asked.
    let lost = Tag(answer: .failure(.tagLost(block: 3)))
    let sound = self.reader(Desk([.success(lost)]))
    try await sound.waitForTag(within: .seconds(60))
    await #expect(throws: TransportError.tagLost(block: 3)) { try await sound.exchange(.inventory) }
    #expect(await !lost.isClosed)
  }

  @Test("a reader that fails again and again rests twice as long each time, up to five minutes, until a tag answers")
  func failures() async throws {
    let clock = SleptClock()
    let error = TransportError.readerFailed(name: "Desk 3000", reason: "0x1")
    let tags = Array(repeating: Result<Tag, TransportError>.success(Tag(waits: [.failure(error)])), count: 8)
    let reader = WaitingReader(Desk(tags + [.success(Tag())]), at: .pcsc(name: nil), clock: clock) { [events] in
      events.add($0)
    }
    try await reader.waitForTag(within: .seconds(86_400))
    let pairs: [[WaitingReader.Event]] = Array(repeating: [.waits(error), Self.ready], count: 8)
    #expect(events.all == Array(pairs.joined()))
    _ = try await reader.exchange(.inventory)
  }

  @Test("chosen automatically, it is chosen anew after a minute without a tag")
  func anotherChoice() async throws {
    let contact = Tag(waits: [.failure(.noTag)])
    let desk = Desk([.success(contact), .success(Tag())])
    try await reader(desk, at: .automatic).waitForTag(within: .seconds(3_600))
    #expect(await contact.isClosed)
    #expect(await contact.limits == [.seconds(60)])
    await #expect(throws: TransportError.noTag) {
      try await reader(Desk([.success(contact)])).waitForTag(within: .zero)
    }
  }

  @Test("the wait ends with its task")
  func cancelled() async throws {
    let desk = Desk([.failure(.noReader)], changes: 1)
    let reader = reader(desk)
    let wait = Task { try await reader.waitForTag(within: .seconds(60)) }
    try await eventually("it waits") { () async in desk.opened.withLock { $0 } > 1 }
    wait.cancel()
    await #expect(throws: TransportError.cancelled) { try await wait.value }
  }
}
