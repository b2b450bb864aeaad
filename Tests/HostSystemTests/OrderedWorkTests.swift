// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import Testing

@testable import HostSystem

struct OrderedWorkTests {
  private struct Full: Error {}

  /// The outcomes of work on the numbers below `count`, in the order in which they were taken.
  private func outcomes(
    of count: Int, jobs: Int, _ work: @escaping @Sendable (Int) -> Int = { $0 }
  ) -> [Int] {
    OrderedWork.run(
      jobs: jobs, from: (0..<count).makeIterator(), into: [], next: { $0.next() }, work: work,
      take: { (taken: inout [Int], outcome) in taken.append(outcome) })
  }

  @Test("all outcomes are taken in the order of the parts, whatever the number of jobs", arguments: [1, 2, 3, 16])
  func order(jobs: Int) {
    for count in [0, 1, 2, 5, 1_000] {
      #expect(outcomes(of: count, jobs: jobs) { $0 * 3 } == (0..<count).map { $0 * 3 })
    }
  }

  @Test("an outcome waits for the earlier ones, although it was ready before")
  func waiting() {
    let second = DispatchSemaphore(value: 0)
    let taken = outcomes(of: 2, jobs: 2) { number in
      if number == 0 { second.wait() } else { second.signal() }
      return number
    }
    #expect(taken == [0, 1])
  }

  @Test("two jobs work at the same time")
  func sameTime() {
    let meeting = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    _ = outcomes(of: 2, jobs: 2) { number in
      meeting[number].signal()
      meeting[1 - number].wait()
      return number
    }
  }

  @Test("no more parts are in memory than twice the number of jobs")
  func bound() {
    let open = Mutex((now: 0, most: 0))
    _ = OrderedWork.run(
      jobs: 3, from: (0..<500).makeIterator(), into: 0,
      next: { numbers in
        guard let number = numbers.next() else { return nil }
        open.withLock { open in
          open.now += 1
          open.most = max(open.most, open.now)
        }
        return number
      },
      work: { (number: Int) in number },
      take: { (_: inout Int, _: Int) in open.withLock { $0.now -= 1 } })
    #expect(open.withLock { $0.now } == 0)
    #expect(open.withLock { $0.most } <= 6)
  }

  @Test("an error of the receiver ends the work, although a thread waits for the next part", arguments: [1, 2, 4])
  func failure(jobs: Int) {
    let forever = DispatchSemaphore(value: 0)
    defer { forever.signal() }
    #expect(throws: Full.self) {
      _ = try OrderedWork.run(
        jobs: jobs, from: (0..<3).makeIterator(), into: 0,
        next: { numbers in
          guard let number = numbers.next() else {
            forever.wait()
            return nil
          }
          return number
        },
        work: { (number: Int) in number },
        take: { (count: inout Int, _: Int) throws(Full) in
          count += 1
          if count == 2 { throw Full() }
        })
    }
  }

  @Test("the threads have room for deep recursion")
  func stack() {
    @Sendable func depth(_ rest: Int) -> Int { rest == 0 ? 0 : 1 + depth(rest - 1) }
    #expect(outcomes(of: 2, jobs: 2) { _ in depth(5_000) } == [5_000, 5_000])
  }
}
