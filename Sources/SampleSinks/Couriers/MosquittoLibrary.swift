// SPDX-License-Identifier: Apache-2.0
#if MQTT
  import CMosquitto

  /// libmosquitto, loaded on first use of MQTT.
  ///
  /// Unchecked: a table of C functions that never changes is safe to share.
  struct MosquittoLibrary: @unchecked Sendable {
    let functions: libre_mosq

    /// The library, loaded once in a process. `libraryMissing` names the library, or the function that it lacks.
    static let loaded: Result<MosquittoLibrary, DeliveryError> = {
      var functions = libre_mosq()
      if let missing = libre_mosq_load(&functions).map({ String(cString: $0) }) {
        let name = missing == LIBRE_MOSQ_LIBRARY ? missing : "\(missing) in \(LIBRE_MOSQ_LIBRARY)"
        return .failure(.libraryMissing(name: name, package: "libmosquitto1"))
      }
      guard functions.lib_init() == LIBRE_MOSQ_SUCCESS else {
        return .failure(.unavailable(reason: "libmosquitto does not start"))
      }
      return .success(MosquittoLibrary(functions: functions))
    }()

    func words(_ result: Int32) -> String {
      functions.strerror(result).map { String(cString: $0) } ?? "error \(result) of libmosquitto"
    }
  }
#endif
