// SPDX-License-Identifier: Apache-2.0
package import Meters

/// The meters that are known to this machine or near it.
package struct MeterSurvey: Sendable {
  package struct Entry: Sendable {
    package let identity: MeterIdentity
    /// Bluetooth's view; nil for a meter that was read before and is neither paired nor near now.
    package let found: FoundMeter?
    /// Nil if Bluetooth could not be asked.
    package let isPaired: Bool?
    /// The store's view; nil for a meter that was not read yet.
    package let stored: StoredMeter?

    package var model: MeterModel? {
      MeterCatalogue.model(
        name: identity.name, maker: stored?.facts.maker, modelNumber: stored?.facts.model,
        services: found?.services ?? [])
    }
  }

  package let entries: [Entry]
  /// The reason why Bluetooth cannot be used; nil if it can.
  package let failure: BluetoothError?

  /// Puts the two views together. Devices that are not meters are left out, and so are forgotten meters that are not
  /// found.
  package init(found: [FoundMeter], stored: [StoredMeter], failure: BluetoothError?) {
    let meters = found.filter { $0.isMeter }
    let heard = meters.map { meter in
      Entry(
        identity: meter.identity, found: meter, isPaired: meter.isPaired,
        stored: stored.first { $0.facts.address == meter.identity.address })
    }
    let addresses = Set(meters.map(\.identity.address))
    let others = stored.filter { !$0.isForgotten && !addresses.contains($0.facts.address) }.map { meter in
      Entry(
        identity: MeterIdentity(address: meter.facts.address, name: meter.facts.name ?? meter.facts.model), found: nil,
        isPaired: failure == nil ? false : nil, stored: meter)
    }
    entries = heard + others
    self.failure = failure
  }
}

extension FoundMeter {
  /// True for a device that is a meter by its services or its name. A OneTouch meter does not advertise its service.
  package var isMeter: Bool {
    services.contains { MeterService.meters.contains($0) } || MeterCatalogue.model(name: identity.name) != nil
  }
}
