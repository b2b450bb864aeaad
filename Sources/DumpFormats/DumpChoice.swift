// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core

package enum DumpChoice: Hashable, Sendable {
  /// The only memory. Copies count once, and scans are preferred to other memories: encrypted ones, parts, output of
  /// commands in a log.
  case only
  /// Number from 1.
  case number(Int)

  package func dump(in dumps: DumpSequence) throws(DumpError) -> (dump: Dump, number: Int) {
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

  private static let comparedLimit = 100

  private static func only(in dumps: DumpSequence) throws(DumpError) -> (dump: Dump, number: Int) {
    var found: [(dump: Dump, number: Int)] = []
    var failure: DumpError?
    var count = 0
    for result in dumps {
      count += 1
      switch result {
      case .success(let dump):
        let isCopy = found.contains { $0.dump.image == dump.image && $0.dump.records == dump.records }
        if !isCopy { found.append((dump, count)) }
      case .failure(let error): failure = failure ?? error
      }
      if count > Self.comparedLimit { break }
    }
    let scans = found.filter { $0.dump.isScan }
    if scans.isEmpty, let failure { throw failure }
    let candidates = scans.isEmpty ? found : scans
    guard let first = candidates.first else { throw .noMemory }
    // A memory that cannot be read, or was not compared, could be the intended one.
    if candidates.count == 1, failure == nil, count <= Self.comparedLimit { return first }
    let listed = candidates.prefix(10).map { dump, number in
      DumpError.Found(
        number: number, label: dump.label, line: dump.line, goodChecksums: dump.memory.integrity.trustedRegions)
    }
    throw .severalDumps(count <= Self.comparedLimit ? count : nil, listed: listed)
  }
}
