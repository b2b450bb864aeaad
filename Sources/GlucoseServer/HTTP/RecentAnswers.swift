// SPDX-License-Identifier: Apache-2.0
#if Serve
  import CGMModel
  import HTTPTypes
  import NIOCore
  import Synchronization

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

    private static let maximumCount = 64
    private static let maximumBytes = 64 << 10

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
      guard answer.status == 200, answer.updates == nil, body.readableBytes <= Self.maximumBytes,
        !answer.headers.contains(where: { $0.name == "Cache-Control" && $0.value == "no-store" })
      else { return }
      state.withLock { state in
        if state.second != now || state.revision != revision { state = State(revision: revision, second: now) }
        if state.answers.count < Self.maximumCount {
          state.answers[request] = Answer(request: parsed, client: answer.client, head: head, body: body)
        }
      }
    }
  }
#endif
