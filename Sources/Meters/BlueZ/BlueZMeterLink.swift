// SPDX-License-Identifier: Apache-2.0

/// A meter that is connected through bluetoothd.
package struct BlueZMeterLink: MeterLink {
  package let identity: MeterIdentity
  let device: String
  let paths: [MeterCharacteristic: String]
  let adapter: BluetoothAdapter
  /// The error of a meter that did not pair and was connected all the same; nil for one that is paired.
  let unpaired: BluetoothError?

  /// The error of a pairing without which a transfer failed; nil if the pairing is not the reason.
  package func error(behind failure: MeterError?) -> BluetoothError? {
    switch failure {
    case .notPaired, .passkeyNeeded, .silent(_, 0), .disconnected(_, 0): unpaired
    default: nil
    }
  }

  package var characteristics: Set<MeterCharacteristic> { Set(paths.keys) }

  package func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent {
    guard let path = paths[request.characteristic] else { return .refused(.absent) }
    return await event(within: timeout) { [device] session throws(BusFailure) in
      guard session.isAlive, session.isConnected(device) else { return .disconnected }
      // A meter may send a record before the answer to the subscription arrives.
      if case .subscribe = request { session.keepValues(of: path) }
      do throws(BusFailure) {
        let body = try session.call(.perform(request, at: path), within: timeout)
        guard case .read(let characteristic) = request else { return .accepted }
        guard let bytes = body.first?.bytes, bytes.count <= BlueZSession.maximumValueLength else {
          return .refused(.other("an answer that is not a value"))
        }
        return .value(characteristic, bytes)
      } catch {
        // When a link breaks, bluetoothd lets the calls fail first and reports the end of the link afterwards.
        if case .refused(.other) = error.event {
          let isGone = try session.wait(within: .seconds(1)) {
            session.isAlive && session.isConnected(device) ? nil : true
          }
          if isGone != nil { return .disconnected }
        }
        // bluetoothd does not answer while it waits for digits that no user can be asked for. A meter that is merely
        // silent loses its link within 30 s.
        if case (.subscribe, .overdue) = (request, error), session.agent?.canAsk == false {
          return .refused(.passkeyNeeded)
        }
        return error.event
      }
    }
  }

  package func nextEvent(within timeout: Duration) async -> MeterEvent {
    await event(within: timeout) { [device, paths] session throws(BusFailure) in
      try session.wait(within: timeout) {
        while let value = session.takeValue() {
          for (characteristic, path) in paths where path == value.path { return .value(characteristic, value.bytes) }
        }
        return session.isAlive && session.isConnected(device) ? nil : .disconnected
      } ?? .quiet
    }
  }

  package func disconnect() async { await adapter.release(device) }

  private func event(
    within timeout: Duration, _ work: @escaping @Sendable (BlueZSession) throws(BusFailure) -> MeterEvent
  ) async -> MeterEvent {
    do throws(BluetoothError) {
      return try await adapter.run(within: timeout + BluetoothAdapter.stuck) { session in
        do throws(BusFailure) { return try work(session) } catch { return error.event }
      }
    } catch { return error == .cancelled ? .cancelled : .disconnected }
  }
}
