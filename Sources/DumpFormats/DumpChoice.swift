// SPDX-License-Identifier: Apache-2.0

/// Which of a file's memories is wanted.
public enum DumpChoice: Hashable, Sendable {
  /// The only one. Copies of one memory are one, and what has no good checksum (a log of an encrypted memory, of commands)
  /// steps back behind what has.
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
    var found: [(dump: Dump, number: Int, score: Int)] = []
    var failure: DumpError?
    var count = 0
    for result in dumps {
      count += 1
      switch result {
      case .success(let dump):
        if !found.contains(where: { $0.dump.image == dump.image }) {
          found.append((dump, count, GoodChecksums.count(in: dump.image)))
        }
      case .failure(let error): failure = failure ?? error
      }
      if count > Self.lookedAt { break }
    }
    guard let first = found.first else { throw failure ?? .noMemory }
    let sound = found.filter { $0.score > 0 }
    if sound.count == 1 { return (sound[0].dump, sound[0].number) }
    if found.count == 1 {
      if let failure { throw failure }
      return (first.dump, first.number)
    }
    let listed = (sound.isEmpty ? found : sound).prefix(10).map {
      DumpError.Found(number: $0.number, label: $0.dump.label, line: $0.dump.line, goodChecksums: $0.score)
    }
    throw .severalDumps(count > Self.lookedAt ? nil : count, listed: listed)
  }
}
