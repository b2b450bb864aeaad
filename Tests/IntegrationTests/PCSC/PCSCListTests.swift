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

      @Test("finds a reader by any part of its name, in any case, or by its whole name")
      func names() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good, other]) { daemon in
          try await daemon.reader(0).insert(card())
          try await daemon.reader(1).insert(card())
          try await settles(on: [.iso15693, .iso15693, .nothing, .nothing])
          let names = try await PCSCBackend().readers().filter { $0.presence == .iso15693 }.map(\.name)
          for part in ["acr1552", "hid"] + names {
            try await withReader("pcsc:\(part)") { reader in
              try await reader.waitForTag(within: ample)
              let description = await reader.description
              #expect(description.address == "pcsc:\(part)")
              #expect(description.name.lowercased().contains(part.lowercased()))
            }
          }
        }
      }

      @Test("is printed in the error if no reader matches")
      func noSuchName() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [good]) { _ in
          let present = try await PCSCBackend().readers().map(\.name)
          #expect(present.count == 2)
          await #expect(throws: TransportError.noReaderNamed("SpringCard", present: present)) {
            try await PCSCBackend().open(.pcsc(name: "SpringCard"))
          }
        }
      }

      @Test("refuses readers that are known to lack ISO 15693, and skips them if there is another")
      func unableReaders() async throws {
        try await PCSCDaemon.runForThisProcess(readers: [unable]) { _ in
          for part in [nil, "acr122"] {
            await #expect(throws: TransportError.readerLacks15693(name: unable.name + " 00 00")) {
              try await PCSCBackend().open(.pcsc(name: part))
            }
          }
        }
        try await PCSCDaemon.runForThisProcess(readers: [unable, good]) { daemon in
          try await daemon.reader(1).insert(card())
          try await withReader { reader in
            try await reader.waitForTag(within: ample)
            #expect(await reader.description.name.hasPrefix(good.name))
          }
        }
      }

      @Test("rejects addresses of other backends")
      func otherBackends() async throws {
        await #expect(throws: TransportError.unknownAddress("sim:active")) {
          try await PCSCBackend().open(.simulated(source: "active"))
        }
      }
    }
  }
#endif
