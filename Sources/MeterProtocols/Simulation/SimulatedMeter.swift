// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// A meter made of numbers, behind the same protocol as a real one. It needs no Bluetooth.
public actor SimulatedMeter: MeterLink {
  public nonisolated let identity: MeterIdentity
  public nonisolated let characteristics: Set<MeterCharacteristic> = []

  /// A simulated meter by the name behind `sim:` (`meter`, `cuff`, `onetouch`, with a fault behind a colon:
  /// `meter:drop`); nil for an unknown name.
  ///
  /// - Parameter now: the user's wall time. The records end before it; the same record has the same time and value in
  ///   every run.
  public init?(named name: String, now: CivilTime) { return nil }

  /// All names, with what each one shows.
  public static let names: [(name: String, summary: String)] = []

  public func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent { .disconnected }
  public func nextEvent(within timeout: Duration) async -> MeterEvent { .disconnected }
  public func disconnect() async {}
}
