// SPDX-License-Identifier: Apache-2.0
package import NFCTransport

/// Made-up machines and what PC/SC answers on them, for the tests of the doctor.
package enum ReaderMachine {
  package static let acr1552 = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00"
  package static let acr122 = "ACS ACR122U PICC Interface 00 00"
  package static let acr1552ID = KnownReader.USBID(vendor: 0x072F, product: 0x2303)
  package static let acr122ID = KnownReader.USBID(vendor: 0x072F, product: 0x2200)

  /// The facts of a machine as it should be, with these readers on its USB.
  package static func facts(_ ids: KnownReader.USBID...) -> SystemFacts {
    var facts = SystemFacts()
    facts.hasDaemon = true
    facts.usesSystemd = true
    facts.driverIDs = [acr1552ID, acr122ID]
    facts.usbDevices = ids.map { USBDevice(id: $0, product: "Reader", isCardReader: true) }
    return facts
  }

  /// The readers that PC/SC shows.
  package static func readers(
    _ names: String..., presence: FoundReader.Presence = .nothing
  ) -> Result<[FoundReader], TransportError> {
    .success(names.map { FoundReader(address: .pcsc(name: $0), name: $0, presence: presence) })
  }
}
