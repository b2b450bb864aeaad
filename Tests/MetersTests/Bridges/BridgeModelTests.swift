// SPDX-License-Identifier: Apache-2.0
import Meters
import Testing

@Suite("The kinds of bridges")
struct BridgeModelTests {
  @Test(
    "are known by the beginning of their names, in any case",
    arguments: [
      ("miaomiao", BridgeLanguage.miaoMiao), ("miaomiao2_4711", .miaoMiao), ("MiaoMiao3", .miaoMiao),
      ("Watlaa 1234", .miaoMiao), ("Bubble", .bubble), ("Bubble Mini", .bubble), ("bubble nano", .bubble),
      ("Atom", .bubble),
    ])
  func read(_ name: String, _ language: BridgeLanguage) {
    #expect(BridgeModel.named(name)?.language == language && BridgeModel.named(name)?.obstacle == nil)
  }

  @Test(
    "that are not read have a reason",
    arguments: ["BLU00123", "LimiTTer", "limitter-77", "xbridge2", "blueReader", "GNSentry"])
  func unread(_ name: String) throws {
    let model = try #require(BridgeModel.named(name))
    #expect(model.language == nil)
    #expect(try #require(model.obstacle).count > 20)
  }

  @Test(
    "are no other devices", arguments: ["BLU", "BLUETOOTH", "Bluebird 7", "Atomic", "blueReader 2", "Pixel 7a", ""])
  func others(_ name: String) { #expect(BridgeModel.named(name) == nil) }

  @Test("need a name") func nameless() { #expect(BridgeModel.named(nil) == nil) }
}
