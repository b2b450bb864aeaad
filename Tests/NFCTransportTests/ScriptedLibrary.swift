// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CPCSC
  import Synchronization

  @testable import NFCTransport

  /// A PC/SC library that returns the results given by a test, and records its calls: a rare event of the real service,
  /// such as a new reader between two calls, happens at once.
  ///
  /// C functions have no context, so there is one script, and tests that use it are serialized.
  enum ScriptedLibrary {
    struct Script {
      /// The readers at each call of `SCardListReaders`; the last list stays.
      var readers: [[String]] = [[]]
      /// The return value of `SCardGetStatusChange`.
      var status = 0
      /// The arguments: each reader's name and its known state.
      var watched: [(name: String, known: UInt)] = []
      /// Readers in the lists that were unplugged.
      var gone: Set<String> = []
      /// The answer of `SCardTransmit`.
      var answer: [UInt8] = []
    }

    static let script = Mutex(Script())

    static func session(_ script: Script) throws -> PCSCSession {
      self.script.withLock { $0 = script }
      return try PCSCSession(library)
    }

    private static let library = PCSCLibrary(
      functions: libre_pcsc(
        SCardEstablishContext: { _, _, _, context in
          context?.pointee = 1
          return LIBRE_PCSC_SUCCESS
        },
        SCardReleaseContext: { _ in LIBRE_PCSC_SUCCESS },
        SCardListReaders: { _, _, names, length in listReaders(names, length) },
        SCardGetStatusChange: { _, _, states, count in
          script.withLock { script in
            script.watched = (0..<Int(count)).compactMap { index in
              guard let state = states?[index], let name = state.name else { return nil }
              return (String(cString: name), state.known)
            }
            return script.status
          }
        },
        SCardCancel: { _ in LIBRE_PCSC_SUCCESS },
        SCardConnect: { _, name, _, _, card, number in
          let isGone = script.withLock { script in name.map { script.gone.contains(String(cString: $0)) } ?? false }
          if isGone { return LIBRE_PCSC_READER_UNAVAILABLE }
          card?.pointee = 1
          number?.pointee = 2
          return LIBRE_PCSC_SUCCESS
        },
        SCardDisconnect: { _, _ in LIBRE_PCSC_SUCCESS },
        SCardBeginTransaction: { _ in LIBRE_PCSC_SUCCESS },
        SCardEndTransaction: { _, _ in LIBRE_PCSC_SUCCESS },
        SCardTransmit: { _, _, _, _, _, answer, length in
          let bytes = script.withLock { $0.answer }
          for (index, byte) in bytes.enumerated() { answer?[index] = byte }
          length?.pointee = UInt(bytes.count)
          return LIBRE_PCSC_SUCCESS
        },
        pcsc_stringify_error: { _ in nil }))

    /// Works like the real library: without a buffer it returns the length of the list, and a longer list does not fit.
    private static func listReaders(_ buffer: UnsafeMutablePointer<CChar>?, _ length: UnsafeMutablePointer<UInt>?)
      -> Int
    {
      let readers = script.withLock { script in
        script.readers.count > 1 ? script.readers.removeFirst() : script.readers[0]
      }
      if readers.isEmpty { return LIBRE_PCSC_NO_READERS }
      let text: [CChar] = readers.flatMap { name in name.utf8.map { CChar(bitPattern: $0) } + [0] } + [0]
      defer { length?.pointee = UInt(text.count) }
      guard let buffer else { return LIBRE_PCSC_SUCCESS }
      guard let length, length.pointee >= UInt(text.count) else { return LIBRE_PCSC_INSUFFICIENT_BUFFER }
      for (index, character) in text.enumerated() { buffer[index] = character }
      return LIBRE_PCSC_SUCCESS
    }
  }
#endif
