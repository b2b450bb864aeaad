// SPDX-License-Identifier: Apache-2.0
#if Serve
  import CGMModel
  import HummingbirdCore
  import Logging
  import NIOCore
  import NIOHTTP1
  import Synchronization

  /// Bounds on time and bytes (GlucoseServer/GlucoseServer, "What a connection may cost").
  final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    static let firstRequest = TimeAmount.seconds(10)
    /// Timeout for the next request: longer than the minute after which most clients ask again.
    static let nextRequest = TimeAmount.seconds(75)
    /// Timeout for a client to read what its receive buffer and ours hold.
    static let reading = TimeAmount.seconds(30)
    /// Maximum number of bytes before an answer: a request line, header fields, and a body, which is not read.
    static let maximumBytes = 128 << 10

    private let table: ConnectionTable
    private var timeout = ConnectionGuard.firstRequest
    /// Time at which the last byte was sent, or the connection began.
    private var sentAt = NIODeadline.distantPast
    private var notedAt = NIODeadline.distantPast
    private var receivedBytes = 0
    private var check: Scheduled<Void>?
    private var stall: Scheduled<Void>?

    init(_ table: ConnectionTable) { self.table = table }

    func handlerAdded(context: ChannelHandlerContext) {
      if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
      begin(context)
      context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
      check?.cancel()
      stall?.cancel()
      table.remove(context.channel)
      context.fireChannelInactive()
    }

    private func begin(_ context: ChannelHandlerContext) {
      guard check == nil else { return }
      sentAt = context.eventLoop.now
      notedAt = sentAt
      table.add(context.channel, at: sentAt)
      scheduleCheck(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      receivedBytes += unwrapInboundIn(data).readableBytes
      guard receivedBytes <= Self.maximumBytes else { return context.close(promise: nil) }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      sentAt = context.eventLoop.now
      receivedBytes = 0
      timeout = Self.nextRequest
      if sentAt - notedAt > .seconds(1) {
        notedAt = sentAt
        table.note(context.channel, at: sentAt)
      }
      context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      stall?.cancel()
      stall =
        context.channel.isWritable
        ? nil
        : context.eventLoop.assumeIsolated().scheduleTask(in: Self.reading) { context.close(promise: nil) }
      context.fireChannelWritabilityChanged()
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
      check = context.eventLoop.assumeIsolated().scheduleTask(deadline: sentAt + timeout) {
        if context.eventLoop.now >= self.sentAt + self.timeout {
          context.close(promise: nil)
        } else {
          self.scheduleCheck(context)
        }
      }
    }
  }

  /// The open connections, of which one too many closes one that is idle.
  final class ConnectionTable: Sendable {
    /// Maximum number of connections: with the rest of the program's descriptors, far from the usual limit of 1024.
    static let maximum = 256

    private struct Entry {
      let channel: any Channel
      var usedAt: NIODeadline
      var isAuthorized = false
    }

    private let connections = Mutex<[ObjectIdentifier: Entry]>([:])

    func add(_ channel: any Channel, at time: NIODeadline) {
      let idle = connections.withLock { connections -> (any Channel)? in
        defer { connections[ObjectIdentifier(channel)] = Entry(channel: channel, usedAt: time) }
        guard connections.count >= Self.maximum else { return nil }
        let strangers = connections.filter { !$0.value.isAuthorized }
        let oldest = (strangers.isEmpty ? connections : strangers).min { $0.value.usedAt < $1.value.usedAt }
        return oldest.flatMap { connections.removeValue(forKey: $0.key)?.channel }
      }
      idle?.close(promise: nil)
    }

    func note(_ channel: any Channel, at time: NIODeadline) {
      connections.withLock { $0[ObjectIdentifier(channel)]?.usedAt = time }
    }

    func noteAuthorized(_ channel: any Channel) {
      connections.withLock { $0[ObjectIdentifier(channel)]?.isAuthorized = true }
    }

    func remove(_ channel: any Channel) {
      _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
  }

  /// Hummingbird's HTTP/1.1 with bounds on what a connection may cost, on one thread for each connection.
  struct GuardedChannel: ServerChildChannel {
    private let http: HTTP1Channel
    private let table: ConnectionTable

    init(_ http: HTTP1Channel, _ table: ConnectionTable) {
      self.http = http
      self.table = table
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
      http.setup(channel: channel, logger: logger).flatMapThrowing { [table] value in
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        try pipeline.addHandler(PersistenceHandler(), position: .after(decoder))
        try pipeline.addHandler(ConnectionGuard(table), position: .first)
        return value
      }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
      // Work stays on the thread that reads and writes the socket: two changes of thread less for each request.
      await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
        await http.handle(value: value, logger: logger)
      }
    }
  }

  /// Writes `Connection: close` into the requests of clients that do not say it but mean it: HTTP/1.0 without
  /// `keep-alive`, and other spellings.
  private final class PersistenceHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive else {
        return context.fireChannelRead(data)
      }
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }
  }

  private final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// Slows and logs clients that send a wrong secret (GlucoseServer/GlucoseServer, "Who may read").
  final class WrongSecrets: Sendable {
    static let delay = Duration.seconds(1)
    private static let minutesBetweenLines = 1

    private struct State {
      var loggedAt: Instant?
      var count = 0
    }

    private let state = Mutex(State())
    private let logger: Logger
    private let pause: @Sendable (Duration) async throws -> Void

    /// `pause` waits; a test hands in one that does not.
    init(
      logger: Logger, pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
      self.logger = logger
      self.pause = pause
    }

    /// Holds an answer back if the client sent a wrong secret. `address` is where it comes from.
    func hold(_ client: ServerAnswer.Client, address: String?, now: Instant) async throws {
      guard client == .wrongSecret else { return }
      let count = state.withLock { state -> Int? in
        state.count += 1
        if let last = state.loggedAt, last.adding(minutes: Self.minutesBetweenLines) > now, last <= now { return nil }
        defer { state = State(loggedAt: now) }
        return state.count
      }
      if let count {
        logger.warning(
          "a client sent a wrong secret",
          metadata: ["address": "\(address ?? "unknown")", "requests": .stringConvertible(count)])
      }
      try await pause(Self.delay)
    }
  }
#endif
