// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Reads what a meter says of itself: maker, model, serial number, firmware, battery, abilities and clock, as far as it
/// has them. A value that it refuses is left out, because no record depends on it.
struct DescriptionProcedure: MeterProcedure {
  private(set) var description: MeterDescription
  private var unread: [MeterCharacteristic]
  private var failure: MeterError?

  /// All values in the order in which they are read: the first three decide how the meter is treated.
  private static let order: [MeterCharacteristic] = [
    .maker, .modelNumber, .serialNumber, .firmware, .battery, .glucoseFeature, .dateTime, .currentTime,
  ]

  init(_ identity: MeterIdentity, characteristics: Set<MeterCharacteristic>) {
    let services = MeterService.meters.filter { service in characteristics.contains { $0.service == service } }
    description = MeterDescription(identity: identity, services: services)
    // Roche's own clock inside the glucose service stands for the other one.
    let clock: MeterCharacteristic = characteristics.contains(.dateTime) ? .currentTime : .dateTime
    unread = services.isEmpty ? [] : Self.order.filter { characteristics.contains($0) && $0 != clock }
  }

  func next() -> MeterStep {
    if let failure { return .failed(failure) }
    return unread.first.map { .perform(.read($0), within: MeterTiming.read) } ?? .finished
  }

  mutating func feed(_ event: MeterEvent) {
    guard failure == nil, let asked = unread.first else { return }
    switch event {
    case .value(let characteristic, let bytes):
      guard characteristic == asked else { return }
      note(bytes, of: characteristic)
      unread.removeFirst()
    case .accepted, .refused: unread.removeFirst()
    case .quiet: failure = .silent(meter: description.displayName, received: 0)
    case .disconnected: failure = .disconnected(meter: description.displayName, received: 0)
    case .cancelled: failure = .cancelled(meter: description.displayName, received: 0)
    }
    if unread.isEmpty { description.chooseSerialNumber() }
  }

  private mutating func note(_ bytes: [UInt8], of characteristic: MeterCharacteristic) {
    switch characteristic {
    case .maker: description.maker = Self.text(bytes)
    case .modelNumber: description.modelNumber = Self.text(bytes)
    case .serialNumber: description.serialNumber = Self.text(bytes)
    case .firmware: description.firmware = Self.text(bytes)
    case .battery: description.batteryPercent = bytes.first.map(Int.init).flatMap { $0 <= 100 ? $0 : nil }
    case .glucoseFeature: description.features = try? GlucoseFeatures(bytes)
    case .dateTime, .currentTime: description.clock = Self.clock(bytes)
    case .glucoseMeasurement, .glucoseContext, .recordAccess, .bloodPressureMeasurement, .bloodPressureFeature,
      .oneTouchCommand, .oneTouchAnswer, .bridgeCommand, .bridgeAnswer:
      break
    }
  }

  /// The time in the value of `2A08`, or in the beginning of that of `2A2B`.
  private static func clock(_ bytes: [UInt8]) -> CivilTime? {
    var fields = PacketFields(bytes)
    return (try? fields.date())?.civil
  }

  private static let longestText = 64

  /// The text up to the first zero byte, without spaces around it; nil if it is empty or has control characters.
  private static func text(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(longestText), as: UTF8.self)
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return nil }
    let trimmed = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return trimmed.isEmpty ? nil : String(trimmed)
  }
}

extension MeterDescription {
  /// Replaces a serial number that is missing by the one in a Roche meter's name, and drops a placeholder: one that many
  /// meters share would mix up their records.
  mutating func chooseSerialNumber() {
    if let sent = serialNumber, Set(sent).count < 2 || !sent.contains(where: \.isNumber) { serialNumber = nil }
    if model?.profile.quirks.contains(.placeholderSerial) ?? false { serialNumber = nil }
    if serialNumber == nil, let name = identity.name, name.hasPrefix(Self.rocheName) {
      let rest = name.dropFirst(Self.rocheName.count)
      serialNumber = rest.isEmpty ? nil : String(rest)
    }
  }

  /// The beginning of the names of Accu-Chek meters; the serial number follows (read: tidepool-org/uploader).
  private static let rocheName = "meter+"
}
