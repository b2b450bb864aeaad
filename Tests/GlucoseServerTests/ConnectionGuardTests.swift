// SPDX-License-Identifier: Apache-2.0
#if Serve
  import NIOCore
  import NIOEmbedded
  import Testing

  @testable import GlucoseServer

  /// On an event loop whose clock the tests turn.
  @Suite("Limits of a connection")
  struct ConnectionGuardTests {
    private let table = ConnectionTable()

    private func connection(_ loop: EmbeddedEventLoop = EmbeddedEventLoop()) throws -> EmbeddedChannel {
      let channel = EmbeddedChannel(handler: ConnectionGuard(table), loop: loop)
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      return channel
    }

    private func bytes(_ count: Int = 1) -> ByteBuffer { ByteBuffer(repeating: UInt8(ascii: "a"), count: count) }

    @Test("a client that sends one byte per second is disconnected like one that sends nothing")
    func slowRequest() throws {
      let loop = EmbeddedEventLoop()
      let slow = try connection(loop)
      let silent = try connection(loop)
      var seconds = 0
      while slow.isActive, seconds < 100 {
        try slow.writeInbound(bytes())
        loop.advanceTime(by: .seconds(1))
        seconds += 1
      }
      #expect(seconds == 10 && !slow.isActive && !silent.isActive)
    }

    @Test("after an answer the client has more time for the next request, and none ends while an answer goes on")
    func nextRequest() throws {
      let loop = EmbeddedEventLoop()
      let channel = try connection(loop)
      for _ in 0..<3 {
        loop.advanceTime(by: .seconds(9))
        try channel.writeInbound(bytes(100))
        try channel.writeOutbound(IOData.byteBuffer(bytes(100)))
      }
      for _ in 0..<1_000 {
        loop.advanceTime(by: .seconds(20))
        try channel.writeOutbound(IOData.byteBuffer(bytes()))
      }
      loop.advanceTime(by: .seconds(74))
      #expect(channel.isActive)
      loop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
    }

    @Test("an endless request is disconnected, and many complete requests are not")
    func longRequest() throws {
      let long = try connection()
      for _ in 0..<3 where long.isActive { try long.writeInbound(bytes(60 << 10)) }
      #expect(!long.isActive)
      let busy = try connection()
      for _ in 0..<100 {
        try busy.writeInbound(bytes(60 << 10))
        try busy.writeOutbound(IOData.byteBuffer(bytes()))
      }
      #expect(busy.isActive)
    }

    @Test("a client that does not read its answer is disconnected")
    func unreadAnswer() throws {
      let loop = EmbeddedEventLoop()
      let channel = try connection(loop)
      // From here on there are 75 s for the next request.
      try channel.writeOutbound(IOData.byteBuffer(bytes()))
      channel.isWritable = false
      channel.pipeline.fireChannelWritabilityChanged()
      loop.advanceTime(by: .seconds(29))
      channel.isWritable = true
      channel.pipeline.fireChannelWritabilityChanged()
      loop.advanceTime(by: .seconds(2))
      channel.isWritable = false
      channel.pipeline.fireChannelWritabilityChanged()
      // A stream's keep-alive is written all the same; the fact that the client does not read it counts.
      try channel.writeOutbound(IOData.byteBuffer(bytes()))
      loop.advanceTime(by: .seconds(29))
      #expect(channel.isActive)
      loop.advanceTime(by: .seconds(1))
      #expect(!channel.isActive)
    }

    @Test("one connection too many closes the one that was idle for longest, and new clients can still connect")
    func manyConnections() throws {
      let loop = EmbeddedEventLoop()
      let first = try connection(loop)
      let second = try connection(loop)
      loop.advanceTime(by: .seconds(2))
      try first.writeOutbound(IOData.byteBuffer(bytes()))
      let others = try (0..<ConnectionTable.maximum - 2).map { _ in try connection(loop) }
      #expect(first.isActive && second.isActive)
      let last = try connection(loop)
      #expect(first.isActive && !second.isActive && last.isActive && others.allSatisfy(\.isActive))
      // Strangers that ask nothing do not close the connection of a client that may read, however long it has been idle.
      table.noteAuthorized(first)
      loop.advanceTime(by: .seconds(1))
      for _ in 0..<ConnectionTable.maximum { _ = try connection(loop) }
      #expect(first.isActive && !last.isActive)
      // A place that is given back can be taken.
      try first.close().wait()
      let next = try connection(loop)
      let further = try connection(loop)
      #expect(next.isActive && further.isActive)
    }
  }
#endif
