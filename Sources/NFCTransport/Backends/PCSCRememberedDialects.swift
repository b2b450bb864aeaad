// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import Synchronization

  /// Which dialect a reader understood, by the reader's name, until the process ends: the next tap need not probe again.
  enum PCSCRememberedDialects {
    private static let names = Mutex<[String: String]>([:])

    static subscript(reader: String) -> String? {
      get { names.withLock { $0[reader] } }
      set { names.withLock { $0[reader] = newValue } }
    }
  }
#endif
