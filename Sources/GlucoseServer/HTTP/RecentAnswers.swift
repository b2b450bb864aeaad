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
#endif
