// SPDX-License-Identifier: Apache-2.0
#if Serve
  import HummingbirdCore
  import Logging
  import NIOCore
  import NIOHTTP1

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

  /// Runs tasks on the thread of an event loop.
  private final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
