// SPDX-License-Identifier: Apache-2.0
#if Bluetooth
  import CSystemBus

  /// sd-bus, loaded on first use of Bluetooth.
  ///
  /// Unchecked: a table of C functions that never changes is safe to share.
  struct SystemBusLibrary: @unchecked Sendable {
    let functions: libre_bus

    /// The library, loaded once in a process. `libraryMissing` names the library, or the function that it lacks.
    static let loaded: Result<SystemBusLibrary, BluetoothError> = {
      var functions = libre_bus()
      guard let missing = libre_bus_load(&functions).map({ String(cString: $0) }) else {
        return .success(SystemBusLibrary(functions: functions))
      }
      return .failure(.libraryMissing(missing == LIBRE_BUS_LIBRARY ? missing : "\(missing) in \(LIBRE_BUS_LIBRARY)"))
    }()
  }
#endif
