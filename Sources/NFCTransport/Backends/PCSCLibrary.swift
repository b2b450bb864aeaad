// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CPCSC

  /// libpcsclite, loaded on first use of a reader: a machine without it can still decode.
  ///
  /// Unchecked: a table of C functions that never changes is safe to share.
  struct PCSCLibrary: @unchecked Sendable {
    let functions: libre_pcsc

    /// The library, loaded once in a process. `libraryMissing` names the library, or the function that it lacks.
    static let loaded: Result<PCSCLibrary, TransportError> = {
      var functions = libre_pcsc()
      guard let missing = libre_pcsc_load(&functions).map({ String(cString: $0) }) else {
        return .success(PCSCLibrary(functions: functions))
      }
      return .failure(
        .libraryMissing(missing == LIBRE_PCSC_LIBRARY ? missing : "\(missing) in \(LIBRE_PCSC_LIBRARY)"))
    }()

    /// Throws the error for a call's status at the reader of this name.
    func check(_ code: Int, at reader: String) throws(TransportError) {
      let error = PCSCStatus(code: code).error(at: reader) { code in
        functions.pcsc_stringify_error(code).map { String(cString: $0) } ?? ""
      }
      if let error { throw error }
    }
  }
#endif
