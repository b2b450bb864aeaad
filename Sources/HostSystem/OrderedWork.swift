// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Work on the parts of an input by several threads, whose outcomes are taken in the order of the parts.
///
/// Each thread gets the next part, works on it, and then takes its outcome and those that waited for it. At most twice
/// as many parts as threads are in memory. The threads do not belong to the cooperative pool, so they may wait for a
/// pipe.
package enum OrderedWork {
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Works on all parts of `source`, and returns the sink that has taken all outcomes.
  ///
  /// `next` and `take` are called by one thread at a time; with one job, everything happens on the caller's thread.
  ///
  /// - Throws: the error of `take`, at once: a thread that waits for its next part is left behind.
  package static func run<Source, Part: Sendable, Outcome: Sendable, Sink: Sendable, Failure: Error>(
    jobs: Int, from source: sending Source, into sink: Sink,
    next: @escaping @Sendable (inout Source) -> Part?, work: @escaping @Sendable (Part) -> Outcome,
    take: @escaping @Sendable (inout Sink, Outcome) throws(Failure) -> Void
  ) throws(Failure) -> Sink {
    keepFreedMemory()
    if jobs == 1 {
      var (source, sink) = (source, sink)
      while let part = next(&source) { try take(&sink, work(part)) }
      return sink
    }
    let input = Mutex((source: source, count: 0, isAtEnd: false))
    let nextPart: @Sendable () -> (number: Int, part: Part)? = {
      input.withLock { state in
        guard !state.isAtEnd, let part = next(&state.source) else {
          state.isAtEnd = true
          return nil
        }
        state.count += 1
        return (state.count - 1, part)
      }
    }
    let output = Output(sink, jobs: jobs, take)
    for _ in 0..<jobs {
      WorkThread.start {
        while output.hasRoom(), let (number, part) = nextPart() { output.add(work(part), number: number) }
        output.threadEnds()
      }
    }
    return try output.sinkAtEnd()
  }
}

/// Keeps memory that is freed for the next part. glibc gives more than 128 KiB of it back to the kernel at once, which has to
/// clear every page again: a tenth of the time for memories in lines.
private func keepFreedMemory() {
  // It is found by its name, because musl has no such function, and Swift's Glibc does not show it.
  guard let address = dlsym(nil, "mallopt") else { return }
  let set = unsafeBitCast(address, to: (@convention(c) (_ parameter: Int32, _ value: Int32) -> Int32).self)
  // M_TRIM_THRESHOLD and M_TOP_PAD (mallopt(3)).
  _ = set(-1, 16 << 20)
  _ = set(-2, 1 << 20)
}

/// The outcomes, which are taken in the order of their numbers.
private final class Output<Outcome: Sendable, Sink: Sendable, Failure: Error>: Sendable {
  private struct State {
    var sink: Sink
    /// The outcomes that wait for an earlier one.
    var waiting: [Int: Outcome] = [:]
    var taken = 0
    var threads: Int
    var failure: Failure?
  }

  private let state: Mutex<State>
  private let take: @Sendable (inout Sink, Outcome) throws(Failure) -> Void
  /// One signal for each part that may be in memory. It begins at 0, below which a semaphore must not be released.
  private let room = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)

  init(_ sink: Sink, jobs: Int, _ take: @escaping @Sendable (inout Sink, Outcome) throws(Failure) -> Void) {
    state = Mutex(State(sink: sink, threads: jobs))
    self.take = take
    for _ in 0..<2 * jobs { room.signal() }
  }

  /// Waits until another part may be read; false after a failure.
  func hasRoom() -> Bool {
    room.wait()
    return state.withLock { $0.failure == nil }
  }

  func add(_ outcome: Outcome, number: Int) {
    state.withLock { state in
      state.waiting[number] = outcome
      while state.failure == nil, let next = state.waiting.removeValue(forKey: state.taken) {
        do throws(Failure) {
          try take(&state.sink, next)
        } catch {
          state.failure = error
          end.signal()
        }
        state.taken += 1
        room.signal()
      }
    }
  }

  /// Lets the next thread see that there is nothing left to do.
  func threadEnds() {
    room.signal()
    let isLast = state.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
    if isLast { end.signal() }
  }

  func sinkAtEnd() throws(Failure) -> Sink {
    end.wait()
    let (sink, failure) = state.withLock { ($0.sink, $0.failure) }
    if let failure { throw failure }
    return sink
  }
}

/// A thread with a stack of fixed size: musl's default of 128 KiB is too small for nested JSON.
private enum WorkThread {
  private static let stackSize = 2 << 20

  static func start(_ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Work(work))
    let result = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
      let attributes = attributes.baseAddress
      guard let attributes, pthread_attr_init(attributes) == 0 else { return ENOMEM }
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setstacksize(attributes, stackSize)
      pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
      var thread: pthread_t = 0
      return pthread_create(
        &thread, attributes,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
          return nil
        }, box.toOpaque())
    }
    // Without another thread the work is done here.
    if result != 0 { box.takeRetainedValue().run() }
  }

  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
