// SPDX-License-Identifier: Apache-2.0
#if Serve
  import Synchronization

  /// Bounds the memory that answers hold while clients read them slowly: few large ones at a time.
  final class LargeAnswers: Sendable {
    /// Bytes up to which an answer is not large.
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

      /// False if there are too many already.
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
