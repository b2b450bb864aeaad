// SPDX-License-Identifier: Apache-2.0

/// Which of a file's memories is wanted.
public enum DumpChoice: Hashable, Sendable {
  /// The only one. Copies of one memory are one; what is no scan (an encrypted memory, a part, a command's output in a log)
  /// steps back behind what is.
  case only
  /// The n-th, from 1.
  case number(Int)

  /// The dump, and its number in the file.
  ///
  /// Throws what was wrong with it; `severalDumps` if there are several and none was named; `noSuchDump`; `noMemory`.
  public func dump(in dumps: DumpSequence) throws(DumpError) -> (dump: Dump, number: Int) {
    switch self {
    case .number(let wanted): return (try Self.dump(wanted, in: dumps), wanted)
    case .only: return try Self.only(in: dumps)
    }
  }

  private static func dump(_ wanted: Int, in dumps: DumpSequence) throws(DumpError) -> Dump {
    var count = 0
    for result in dumps {
      count += 1
      if count == wanted { return try result.get() }
    }
    throw count == 0 ? .noMemory : .noSuchDump(wanted, count: count)
  }

  /// So many are enough to tell that one has to be chosen.
  private static let lookedAt = 100

  private static func only(in dumps: DumpSequence) throws(DumpError) -> (dump: Dump, number: Int) {
    var found: [(dump: Dump, number: Int)] = []
    var failure: DumpError?
    var count = 0
    for result in dumps {
      count += 1
      switch result {
      case .success(let dump):
        if !found.contains(where: { $0.dump.image == dump.image }) { found.append((dump, count)) }
      case .failure(let error): failure = failure ?? error
      }
      if count > Self.lookedAt { break }
    }
    let scans = found.filter { $0.dump.memory.isScan }
    if scans.isEmpty, let failure { throw failure }
    let candidates = scans.isEmpty ? found : scans
    guard let first = candidates.first else { throw .noMemory }
    // A memory that cannot be read, or was not looked at, could be the one that is meant.
    if candidates.count == 1, failure == nil, count <= Self.lookedAt { return first }
    let listed = candidates.prefix(10).map { dump, number in
      DumpError.Found(
        number: number, label: dump.label, line: dump.line, goodChecksums: dump.memory.goodChecksums)
    }
    throw .severalDumps(count <= Self.lookedAt ? count : nil, listed: listed)
  }
}
