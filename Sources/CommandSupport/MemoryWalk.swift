// SPDX-License-Identifier: Apache-2.0
import DumpFormats
import HostSystem
import LibreDocuments
package import SensorHistory
import Synchronization

/// A search for sensor memories in files and in all that is in directories, by several threads.
package struct MemoryWalk: Sendable {
  package private(set) var found = FoundMemories()
  package private(set) var unread: [UnreadFile] = []
  package private(set) var fileCount = 0
  /// True if the task was cancelled meanwhile: the rest was not searched.
  package private(set) var isInterrupted = false

  private typealias Outcome = (path: String, memories: Result<[FoundMemory], LibreError>)

  /// Searches files and directories, and shows the progress.
  ///
  /// Hidden files are searched too, because phones and programs keep their data in such; links are not followed, except
  /// those among `paths`.
  package static func run(_ paths: [String], _ session: Session) async -> MemoryWalk {
    let finder = MemoryFinder()
    let state = State(session)
    let walk = await withTaskCancellationHandler {
      OrderedWork.run(
        // Each may have a file of the maximum size in memory, with what it is unpacked to.
        jobs: min(4, OrderedWork.processorCount), from: InputFiles(paths, from: .everything, session: session),
        into: MemoryWalk(),
        next: { (files: inout InputFiles) -> Result<String, DirectoryWalk.Failure>? in
          guard !state.isStopped, let file = files.next() else { return nil }
          state.progress.withLock { $0.begin((try? file.get()) ?? "") }
          return file
        },
        work: { file in
          switch file {
          case .failure(let failure): return (failure.path, .failure(.input(failure.error)))
          case .success(let path):
            let memories = Result { () throws(LibreError) in
              try finder.memories(in: path) { bytes in
                state.progress.withLock { $0.show(bytes: bytes, of: path) }
                return !state.isStopped
              }
            }
            return (path, memories)
          }
        },
        take: { (walk: inout MemoryWalk, outcome: Outcome) in walk.take(outcome) })
    } onCancel: {
      state.stop()
    }
    state.progress.withLock { $0.clear() }
    var result = walk
    result.isInterrupted = state.isStopped
    return result
  }

  private mutating func take(_ outcome: Outcome) {
    switch outcome.memories {
    case .success(let memories):
      fileCount += 1
      for memory in memories { found.add(memory) }
    case .failure(let error): unread.append(UnreadFile(path: outcome.path, error: error))
    }
  }

  /// The error of a search that has found nothing although all files could be read; nil for any other.
  package var failure: LibreError? {
    found.all.isEmpty && unread.isEmpty && !isInterrupted ? .dump(.noMemoryInFiles(fileCount)) : nil
  }

  /// The highest status of the files that could not be read, or that of a search without a result.
  package var exitStatus: Int32 { unread.map(\.error.exitStatus).max() ?? failure?.exitStatus ?? 0 }

  /// The part of the run that all threads share.
  private final class State: Sendable {
    let progress: Mutex<RunProgress>
    private let stopped = Mutex(false)

    init(_ session: Session) { progress = Mutex(RunProgress(session, word: "searched")) }

    var isStopped: Bool { stopped.withLock { $0 } }
    func stop() { stopped.withLock { $0 = true } }
  }
}

extension Session {
  /// Asks the stores of all people of this run, of which none is created, about memories.
  package func listing(of walk: MemoryWalk) throws(LibreError) -> FindListing {
    let household = try household()
    var stores: [(store: SensorStore, person: String?)] = []
    for theirs in household {
      guard let store = try StoreFile.openIfPresent(try theirs.storePath()) else { continue }
      stores.append((store, theirs.label(among: household)))
    }
    let rows = try walk.found.all.map { entry throws(LibreError) in
      for (store, person) in stores {
        let memory = entry.memory
        guard let stored = try libre(store.stored(memory: memory.identity, of: memory.sensor)) else { continue }
        return FindListing.Row(entry, identity: stored.sensor, isKnown: stored.hasMemory, person: person)
      }
      return FindListing.Row(entry, identity: nil, isKnown: false, person: nil)
    }
    return FindListing(
      rows: rows, fileCount: walk.fileCount, unread: walk.unread, isInterrupted: walk.isInterrupted)
  }
}
