// SPDX-License-Identifier: Apache-2.0
#if PCSC
  import CGMModel
  import NFCTransport
  import TestSupport
  import Testing

  extension PCSCTests {
    @Suite("and the list of readers")
    struct ListTests {
      @Test("shows what is on each reader")
      func list() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good, other]) { daemon in
          try await daemon.reader(0).insert(card())
          try await daemon.reader(1).insert(VirtualCard(atr: VirtualCard.pass))
          try await settles(on: [.iso15693, .otherCard, .nothing, .nothing])
          let found = try await PCSCBackend().readers()
          #expect(found.allSatisfy { $0.address == .pcsc(name: $0.name) })
          let presences = Dictionary(grouping: found) { $0.name.split(separator: " ")[0] }
            .mapValues { Set($0.map(\.presence)) }
          #expect(presences == ["ACS": [.iso15693, .nothing], "HID": [.otherCard, .nothing]])
        }
      }

      @Test("is what an address chooses from; the error for one that fits no reader lists them all")
      func choice() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good, other]) { daemon in
          try await daemon.reader(0).insert(card())
          try await daemon.reader(1).insert(card())
          try await settles(on: [.iso15693, .iso15693, .nothing, .nothing])
          try await withReader("pcsc:hid") { reader in
            try await reader.waitForTag(within: ample)
            let description = await reader.description
            #expect(description.address == "pcsc:hid" && description.name.hasPrefix(other.name))
          }
          let present = try await PCSCBackend().readers().map(\.name)
          await #expect(throws: TransportError.noReaderNamed("SpringCard", present: present)) {
            try await PCSCBackend().open(.pcsc(name: "SpringCard"))
          }
        }
      }
    }
  }
#endif
