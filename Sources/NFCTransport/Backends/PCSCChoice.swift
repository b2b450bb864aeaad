// SPDX-License-Identifier: Apache-2.0
#if PCSC
  /// The readers that an address selects.
  struct PCSCChoice: Hashable, Sendable {
    /// Part of a reader's name, in any case; nil selects every reader.
    let part: String?

    var address: ReaderAddress { .pcsc(name: part) }

    /// Returns the selected readers among `names` that may support ISO 15693; at least one.
    ///
    /// - Throws: `noReader`, `noReaderNamed`, `readerLacks15693`.
    func readers(of names: [String]) throws(TransportError) -> [String] {
      if names.isEmpty { throw .noReader }
      let meant = part.map { part in names.filter { $0.lowercased().contains(part.lowercased()) } } ?? names
      guard let first = meant.first else { throw .noReaderNamed(part ?? "", present: names) }
      let able = meant.filter { name in
        if case .cannot = KnownReader.named(name)?.ability { false } else { true }
      }
      if able.isEmpty { throw .readerLacks15693(name: first) }
      return able
    }
  }
#endif
