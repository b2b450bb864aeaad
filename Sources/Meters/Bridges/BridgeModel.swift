// SPDX-License-Identifier: Apache-2.0

/// A kind of bridge: a device that sits on the sensor, reads it by itself and passes it on over Bluetooth. All entries are
/// untested on hardware.
///
/// The advertised name decides: the service is that of thousands of other devices.
package struct BridgeModel: Hashable, Sendable {
  package let title: String
  /// The language that it speaks, or the reason why it is not read.
  package let use: Use
  private let rule: Rule

  package enum Use: Hashable, Sendable {
    case read(BridgeLanguage)
    case unread(reason: String)
  }

  /// Rule for the name, compared without case.
  private enum Rule: Hashable, Sendable {
    case begins(String)
    case whole(String)
    /// This word and digits behind it.
    case numbered(String)

    func fits(_ name: String) -> Bool {
      switch self {
      case .begins(let word): name.hasPrefix(word)
      case .whole(let word): name == word
      case .numbered(let word):
        name.hasPrefix(word) && name.count > word.count && name.dropFirst(word.count).allSatisfy(\.isNumber)
      }
    }
  }

  private init(_ title: String, _ rule: Rule, _ use: Use) { (self.title, self.rule, self.use) = (title, rule, use) }

  private static let oneNumber = Use.unread(reason: "it sends finished values and not the sensor's memory")

  package static let all = [
    BridgeModel("MiaoMiao 1, 2, 3", .begins("miaomiao"), .read(.miaoMiao)),
    BridgeModel("Watlaa", .begins("watlaa"), .read(.miaoMiao)),
    BridgeModel("Bubble, Bubble Mini, Bubble Nano", .begins("bubble"), .read(.bubble)),
    BridgeModel("Atom", .whole("atom"), .read(.bubble)),
    BridgeModel(
      "BluCon, NightRider", .numbered("blu"),
      .unread(reason: "it wants a pairing with digits, wakes every five minutes only and has a language of its own")),
    BridgeModel("Droplet, Transmiter PL, LimiTTer", .begins("limitter"), oneNumber),
    BridgeModel("xBridge, LBridge", .begins("xbridge"), oneNumber),
    BridgeModel("BlueReader", .whole("bluereader"), oneNumber),
    BridgeModel("GNSentry", .begins("gnsentry"), oneNumber),
  ]

  /// The kind of the bridge with this name; nil for another device.
  package static func named(_ name: String?) -> BridgeModel? {
    name.flatMap { name in all.first { $0.rule.fits(name.lowercased()) } }
  }

  package var language: BridgeLanguage? { if case .read(let language) = use { language } else { nil } }
  package var obstacle: String? { if case .unread(let reason) = use { reason } else { nil } }
}

package enum BridgeLanguage: String, Hashable, Sendable, CaseIterable {
  case miaoMiao = "miaomiao"
  case bubble

  var assembly: any BridgeAssembly {
    switch self {
    case .miaoMiao: MiaoMiaoAssembly()
    case .bubble: BubbleAssembly()
    }
  }
}
