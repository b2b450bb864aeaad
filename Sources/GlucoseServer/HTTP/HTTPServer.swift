// SPDX-License-Identifier: Apache-2.0
#if Serve
  import CGMModel
  import HTTPTypes
  package import HostSystem
  import HummingbirdCore
  package import Logging
  import NIOCore
  import NIOPosix
  import Synchronization
  import TextFormats

  package struct HTTPServer: Sendable {
    private let persons: [(person: ServedPerson, recent: RecentAnswers)]
    private let logger: Logger
    private let largeAnswers = LargeAnswers()
    private let date = DateField()
    private let connections = ConnectionTable()
    private let wrongSecrets: WrongSecrets

    package init(_ persons: [ServedPerson], logger: Logger) {
      self.persons = persons.map { ($0, RecentAnswers()) }
      self.logger = logger
      wrongSecrets = WrongSecrets(logger: logger)
    }

    private static let keepAlive = TimeAmount.seconds(20)
    /// Time in which clients can read the rest of their answers when the server ends.
    private static let grace = Duration.milliseconds(500)

    /// Answers until the task is cancelled. Then answers that are being sent end, and all connections are closed within a
    /// second. `isListening` gets the address with the port that the system chose if 0 was asked for.
    package func run(
      at address: ListenAddress, isListening: @escaping @Sendable (ListenAddress) async -> Void
    ) async throws(ServerError) {
      if case .unixSocket(let path) = address {
        if UnixSocket.isAnswering(path) { throw .addressInUse(address) }
        if UnixSocket.isTaken(path) { throw .pathTaken(address) }
        UnixSocket.restrictNewFiles()
      }
      let group = MultiThreadedEventLoopGroup(numberOfThreads: min(System.coreCount, 4))
      var configuration = HTTP1Channel.Configuration()
      configuration.httpDecoder = .init(
        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)
      let http = HTTP1Channel(
        responder: { [self] request, writer, channel in try await respond(to: request, with: writer, on: channel) },
        configuration: configuration)
      let server = Server(
        childChannelSetup: GuardedChannel(http, connections),
        configuration: ServerConfiguration(address: address.bindAddress),
        onServerRunning: { channel in
          if case .unixSocket(let path) = address { UnixSocket.makePrivate(path) }
          await isListening(channel.localAddress?.port.map(address.with(port:)) ?? address)
        }, eventLoopGroup: group, logger: logger)
      // Not a part of this task: an interruption is to end answers, not to cut them off.
      let running = Task { try await server.run() }
      let ending = Mutex<Task<Void, Never>?>(nil)
      let result = await withTaskCancellationHandler {
        await running.result
      } onCancel: {
        for (person, _) in persons { person.feed.finish() }
        let task = Task {
          let limit = Task {
            try await Task.sleep(for: Self.grace)
            running.cancel()
          }
          try? await server.shutdownGracefully()
          limit.cancel()
        }
        ending.withLock { $0 = task }
      }
      // It uses the threads to the last.
      await ending.withLock { $0 }?.value
      try? await group.shutdownGracefully()
      if case .failure(let error) = result { throw ServerError(error, at: address) }
      if case .unixSocket(let path) = address { try? FileSystem.remove(path) }
    }

    private func respond(
      to request: Request, with writer: consuming ResponseWriter, on channel: any Channel
    ) async throws {
      let now = LocalTime.now
      // This comes before the address is taken apart, because each person has kept answers of their own.
      for (person, recent) in persons {
        guard let known = recent.answer(to: request.head, revision: person.feed.newest.revision, now: now) else {
          continue
        }
        person.core.count(known.request, status: known.head.status.code)
        if known.client == .authorized { connections.noteAuthorized(channel) }
        return try await send(known.head, known.body, to: request, with: writer)
      }
      let asked = ServerRequest(request)
      let found = persons.compactMap { person, recent in person.own(asked).map { (person, recent, $0) } }.first
      guard let (person, recent, parsed) = found else {
        return try await writer.writeResponse(HTTPResponse(status: .notFound, headerFields: [.contentLength: "0"]))
      }
      if let page = person.page(asked, target: request.head.path ?? "/") {
        let head = HTTPResponse(status: .permanentRedirect, headerFields: [.location: page, .contentLength: "0"])
        return try await writer.writeResponse(head)
      }
      let snapshot = person.feed.newest
      let slot = LargeAnswers.Slot(of: largeAnswers)
      let (answer, isOfSnapshot) = await answer(to: parsed, of: person, from: snapshot, now: now, slot)
      if answer.client == .authorized { connections.noteAuthorized(channel) }
      try await wrongSecrets.hold(answer.client, address: channel.remoteAddress?.ipAddress, now: now)
      let head = HTTPResponse(answer, date: date.text(of: now))
      guard let updates = answer.updates, request.method != .head else {
        let body = ByteBuffer(bytes: answer.body)
        if isOfSnapshot {
          recent.keep(answer, to: request.head, parsed, head: head, body: body, revision: snapshot.revision, now: now)
        }
        try await send(head, body, to: request, with: writer)
        return slot.end()
      }
      let body = try await writer.writeHead(head)
      try await stay(open: updates, of: person.feed, after: snapshot, request, channel, answer.body, body)
    }

    private func send(
      _ head: HTTPResponse, _ body: ByteBuffer, to request: Request, with writer: consuming ResponseWriter
    ) async throws {
      if request.method == .head || head.status.code == 204 || head.status.code == 304 {
        return try await writer.writeResponse(head)
      }
      try await writer.write(response: head, body: ResponseBody(byteBuffer: body))
    }

    /// The answer, and whether it is made of the snapshot alone.
    private func answer(
      to request: ServerRequest, of person: ServedPerson, from snapshot: ServerSnapshot, now: Instant,
      _ slot: LargeAnswers.Slot
    ) async -> (ServerAnswer, isOfSnapshot: Bool) {
      if let answer = person.core.answer(to: request, from: snapshot, now: now, store: nil) {
        return (answer.body.count <= LargeAnswers.size || slot.begin() ? answer : LargeAnswers.refusal, true)
      }
      guard slot.begin() else { return (LargeAnswers.refusal, false) }
      let answer = try? await NIOThreadPool.singleton.runIfActive {
        person.core.answer(to: request, from: snapshot, now: now, store: person.store)
      }
      return (answer.flatMap(\.self) ?? LargeAnswers.refusal, false)
    }

    private func stay(
      open updates: ServerUpdates, of feed: SnapshotFeed, after first: ServerSnapshot, _ request: Request,
      _ channel: any Channel, _ start: [UInt8], _ writer: some ResponseBodyWriter
    ) async throws {
      let receiver = feed.receiver()
      let timer = channel.eventLoop.scheduleRepeatedTask(initialDelay: Self.keepAlive, delay: Self.keepAlive) { _ in
        receiver.repeatNewest()
      }
      defer { timer.cancel() }
      var writer = writer
      if !start.isEmpty { try await writer.write(ByteBuffer(bytes: start)) }
      try await request.body.consumeWithCancellationOnInboundClose { _ in
        var previous = first
        var isFirst = true
        for await newest in receiver.snapshots {
          let isNew = newest.revision != previous.revision
          let bytes = isNew ? updates.bytes(previous, newest) : isFirst ? [] : updates.keepAlive
          (previous, isFirst) = (newest, false)
          if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
        }
      }
      try await writer.finish(nil)
    }
  }

  extension ServerRequest {
    init(_ request: Request) {
      // The codec takes the first Host field out of the others.
      let host = request.head.authority.map { [(name: "host", value: $0)] } ?? []
      self.init(
        method: request.method.rawValue, target: request.head.path ?? "/",
        headers: host + request.headers.map { (name: $0.name.canonicalName, value: $0.value) })
    }
  }

  extension HTTPResponse {
    fileprivate init(_ answer: ServerAnswer, date: String) {
      var fields = HTTPFields()
      if answer.status != 204 && answer.status != 304 {
        fields[.contentType] = answer.contentType
        if answer.updates == nil { fields[.contentLength] = String(answer.body.count) }
      }
      fields[.date] = date
      for (name, value) in answer.headers {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      self.init(status: HTTPResponse.Status(code: answer.status), headerFields: fields)
    }
  }

  /// The `Date` field of answers, written once a second.
  private final class DateField: Sendable {
    private let last = Mutex<(instant: Instant, text: String)?>(nil)

    func text(of now: Instant) -> String {
      last.withLock { last in
        if let last, last.instant == now { return last.text }
        let text = HTTPDate.text(now)
        last = (now, text)
        return text
      }
    }
  }

  extension ListenAddress {
    fileprivate var bindAddress: BindAddress {
      switch self {
      case .internet(let host, let port): .hostname(host, port: port)
      case .unixSocket(let path): .unixDomainSocket(path: path)
      }
    }
  }

  extension ServerError {
    fileprivate init(_ error: any Error, at address: ListenAddress) {
      self =
        switch (error as? IOError)?.errnoCode {
        case let code? where UnixSocket.isInUse(code): .addressInUse(address)
        case let code? where UnixSocket.isDenied(code): .accessDenied(address)
        case let code?: .cannotListen(address, words: FileSystem.text(code))
        case nil: .cannotListen(address, words: String(describing: error))
        }
    }
  }

  /// Answers of the present second: an answer is made of the request, the snapshot and the second, so that the same
  /// request gets the same one until the next second or the next snapshot.
  final class RecentAnswers: Sendable {
    struct Answer: Sendable {
      let request: ServerRequest
      let client: ServerAnswer.Client
      let head: HTTPResponse
      let body: ByteBuffer
    }

    private struct State {
      var revision = ""
      var second: Instant?
      var answers: [HTTPRequest: Answer] = [:]
    }

    private let state = Mutex(State())

    func answer(to request: HTTPRequest, revision: String, now: Instant) -> Answer? {
      state.withLock { state in
        guard state.second == now, state.revision == revision else { return nil }
        return state.answers[request]
      }
    }

    /// Keeps an answer that may be given again; one that the client must not keep is not kept here either.
    func keep(
      _ answer: ServerAnswer, to request: HTTPRequest, _ parsed: ServerRequest, head: HTTPResponse, body: ByteBuffer,
      revision: String, now: Instant
    ) {
      guard answer.status == 200, answer.updates == nil, body.readableBytes <= 64 << 10,
        !answer.headers.contains(where: { $0.name == "Cache-Control" && $0.value == "no-store" })
      else { return }
      state.withLock { state in
        if state.second != now || state.revision != revision { state = State(revision: revision, second: now) }
        if state.answers.count < 64 {
          state.answers[request] = Answer(request: parsed, client: answer.client, head: head, body: body)
        }
      }
    }
  }

  /// Bounds the memory that answers hold while clients read them slowly: few large ones at a time.
  final class LargeAnswers: Sendable {
    static let size = 256 << 10
    private static let maximum = 8

    static let refusal: ServerAnswer = {
      var answer = ServerAnswer.problem(
        503, "Service Unavailable", "too many large answers are on their way. Ask again, for less at a time")
      answer.headers.append(("Retry-After", "5"))
      return answer
    }()

    private let count = Atomic<Int>(0)

    /// One answer's share. It is given back by `end()`, or when the request is over, whatever ended it.
    final class Slot: Sendable {
      private let answers: LargeAnswers
      private let isTaken = Atomic<Bool>(false)

      init(of answers: LargeAnswers) { self.answers = answers }

      func begin() -> Bool {
        if answers.count.add(1, ordering: .relaxed).newValue > LargeAnswers.maximum {
          answers.count.subtract(1, ordering: .relaxed)
          return false
        }
        isTaken.store(true, ordering: .relaxed)
        return true
      }

      func end() {
        if isTaken.exchange(false, ordering: .relaxed) { answers.count.subtract(1, ordering: .relaxed) }
      }

      deinit { end() }
    }
  }
#else
  package import HostSystem
  package import Logging

  package struct HTTPServer: Sendable {
    package init(_ persons: [ServedPerson], logger: Logger) {}

    package func run(
      at address: ListenAddress, isListening: @escaping @Sendable (ListenAddress) async -> Void
    ) async throws(ServerError) {
      throw .notInThisBuild
    }
  }
#endif
