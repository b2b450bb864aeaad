// SPDX-License-Identifier: Apache-2.0
#if MQTT
  import CMosquitto

  /// libmosquitto, loaded when something is first sent by MQTT.
  ///
  /// Unchecked, because a table of C functions that never changes belongs to no thread.
  struct MosquittoLibrary: @unchecked Sendable {
    let functions: libre_mosq

    /// Once in a process. `libraryMissing` names the library, or what an odd one lacks.
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
