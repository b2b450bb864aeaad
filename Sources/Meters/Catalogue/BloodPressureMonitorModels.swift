// SPDX-License-Identifier: Apache-2.0

extension MeterModel {
  private static let derdilla = "derdilla/blood-pressure-monitor-fl"
  private static let vital = "tryVital/vital-ios"
  private static let beurerApp = "an analysis of the maker's app 1.20.1"

  /// Cuffs, by maker; those that cannot be read are last.
  static let bloodPressureMonitors: [MeterModel] = [
    MeterModel(
      maker: "Omron", title: "X4 Smart, X2 Smart+, BP5150", kind: .bloodPressureMonitor, names: ["BLESmart_", "Omron"],
      makers: ["Omron"], service: .bloodPressure, pairing: "Hold the Bluetooth key for five seconds until P blinks.",
      passkey: .none, profile: MeterProfile(quirks: [.deletesAfterTransfer]),
      note: "It can be paired with one device at a time. The X4 deletes what it has sent.", sources: [derdilla],
      proof: .reported),
    MeterModel(
      maker: "Omron", title: "M4 Intelli IT, M7 Intelli IT, X7 Smart", kind: .bloodPressureMonitor,
      names: ["M4", "X4", "M7", "X7"], makers: ["Omron"], service: .bloodPressure,
      pairing: "Hold the Bluetooth key until -P- blinks.", passkey: .none,
      profile: MeterProfile(quirks: [.deletesAfterTransfer]),
      note: "What it hands out besides the newest measurement is unknown: its memory has a protocol that writes to it.",
      sources: [vital, "userx14/omblepy", "eigger/hass-omron"], proof: .fromSources),
    MeterModel(
      maker: "Beurer", title: "BM85, BM48, Elite 900", kind: .bloodPressureMonitor,
      names: ["Beurer BM85", "BM85", "BM48", "Elite 900"], makers: ["Beurer"], service: .bloodPressure,
      pairing: "Switch Bluetooth on in the cuff's menu; type the six digits if it shows them.", passkey: .display,
      profile: MeterProfile(restBeforeSubscribing: .milliseconds(100)),
      note: "Pulse and status come in the other byte order; libre detects this.", sources: [derdilla],
      proof: .reported),
    MeterModel(
      maker: "Beurer", title: "BM54", kind: .bloodPressureMonitor, names: ["Beurer BM54", "BM54"], makers: ["Beurer"],
      service: .bloodPressure, pairing: "Press the cuff's Bluetooth key; type the six digits that it shows.",
      passkey: .display, profile: MeterProfile(restBeforeSubscribing: .milliseconds(100)),
      note: "It sends the measurements of both users.", sources: ["bfabio/esp32-beurer-bm54", beurerApp],
      proof: .reported),
    MeterModel(
      maker: "Beurer", title: "BM57", kind: .bloodPressureMonitor, names: ["Beurer BM57", "BM57"], makers: ["Beurer"],
      service: .bloodPressure, pairing: "Press the cuff's Bluetooth key.", passkey: .unknown,
      profile: MeterProfile(restBeforeSubscribing: .milliseconds(100)), sources: ["a public listing of its services"],
      proof: .fromSources),
    MeterModel(
      maker: "Beurer", title: "BM59, BM64, BM69, BM77, BM81, BM82, BM92", kind: .bloodPressureMonitor,
      names: ["BM59", "BM64", "BM69", "BM77", "BM81", "BM82", "BM92", "Beurer BM"], makers: ["Beurer"],
      service: .bloodPressure, pairing: "Switch Bluetooth on in the cuff's menu; type the six digits if it shows them.",
      passkey: .display, profile: MeterProfile(restBeforeSubscribing: .seconds(3)),
      note: "Another account says that the BM59 speaks a protocol of its own.",
      sources: [beurerApp, "ipanalytics/Beurer-BM59-Unlocked-Reverse-Engineering"], proof: .fromSources),
    MeterModel(
      maker: "Beurer", title: "BC and other BM models, Sanitas", kind: .bloodPressureMonitor,
      names: ["Beurer BC", "Sanitas"], makers: ["Beurer"], service: .bloodPressure,
      pairing: "Switch Bluetooth on in the cuff's menu or by its key.", passkey: .unknown,
      profile: MeterProfile(restBeforeSubscribing: .milliseconds(100)), sources: [beurerApp], proof: .fromSources),
    MeterModel(
      maker: "Silvercrest", title: "SBM 69", kind: .bloodPressureMonitor, service: .bloodPressure,
      pairing: "Type the six digits that the cuff shows, then press its key M.", passkey: .display,
      note: "It turns its radio off after the transfer.", sources: ["ignisf/sbm69"], proof: .reported),
    MeterModel(
      maker: "Medisana", title: "BU 530, BU 570, BU 580, BU 584", kind: .bloodPressureMonitor, names: ["1872B"],
      service: .bloodPressure, pairing: "Measure: Bluetooth is on for a short time afterwards.", passkey: .none,
      sources: ["bkbilly/medisanabp_ble"], proof: .reported),
    MeterModel(
      maker: "A&D", title: "UA-651BLE", kind: .bloodPressureMonitor, service: .bloodPressure,
      pairing: "Hold START until the cuff shows that it is pairing.", passkey: .none,
      note: "It may send nothing until the maker's app has set its clock once.",
      sources: ["weliem/blessed-android", "markchuang56/iOS-Demo"], proof: .fromSources),
    MeterModel(
      maker: "Microlife", title: "BP3GY1-2N", kind: .bloodPressureMonitor, service: nil,
      pairing: "Pairing was not examined.", passkey: .unknown, note: "It speaks a protocol of its own.",
      sources: [derdilla], proof: .reported),
    MeterModel(
      maker: "Yonker", title: "all models", kind: .bloodPressureMonitor, service: nil,
      pairing: "Pairing was not examined.", passkey: .unknown, note: "It speaks a protocol of its own.",
      sources: [derdilla], proof: .reported),
  ]
}
