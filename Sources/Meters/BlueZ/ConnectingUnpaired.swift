// SPDX-License-Identifier: Apache-2.0

extension BluetoothAdapter {
  /// Connects a device that knows no pairing, and is not asked for one.
  ///
  /// bluetoothd forgets a device with a random address as soon as the search for it ends (read: bluez issues 214, 1269).
  /// Then it is searched for again, and connected meanwhile.
  ///
  /// - Throws: as `connect`, but no error of pairing.
  func connectUnpaired(_ device: FoundMeter) async throws(BluetoothError) -> BlueZMeterLink {
    try await run(within: timeouts.whole) { [self] session throws(BluetoothError) in
      try checkPower(session)
      do throws(BluetoothError) {
        do throws(BluetoothError) { try establish(device, wasPaired: false, session) } catch {
          guard case .notFound = error else { throw error }
          let again: Result<Void, BluetoothError> = try discovering(session) { () throws(BusFailure) in
            _ = try session.wait(within: timeouts.resolve) { () throws(BusFailure) in
              session.tree.properties(BlueZ.device, at: device.path).map { _ in true }
            }
            return Result { () throws(BluetoothError) in try establish(device, wasPaired: false, session) }
          }
          try again.get()
        }
        return BlueZMeterLink(
          identity: device.identity, device: device.path, paths: try bridgePaths(of: device, session), adapter: self,
          unpaired: nil)
      } catch {
        release(device.path, session)
        throw error
      }
    }
  }

  /// The characteristics, which may come into sight a moment after bluetoothd has said that it knows them all (read: bluez
  /// issue 1489).
  private func bridgePaths(
    of device: FoundMeter, _ session: BlueZSession
  ) throws(BluetoothError) -> [MeterCharacteristic: String] {
    do throws(BusFailure) {
      _ = try session.wait(within: .seconds(2)) { () throws(BusFailure) -> Bool? in
        characteristics(of: device.path, in: session.tree)[.bridgeAnswer] == nil ? nil : true
      }
    } catch { throw error.error("connecting to \(device.title)") }
    return characteristics(of: device.path, in: session.tree)
  }
}
