// SPDX-License-Identifier: Apache-2.0

extension MeterModel {
  private static let xDrip = "NightscoutFoundation/xDrip"
  private static let uploader = "tidepool-org/uploader"
  private static let vital = "tryVital/vital-ios"

  /// Tidepool's program waits half a second between the steps.
  private static let iSens = MeterProfile(
    quirks: [.ketonesAsGlucose, .month13], restAfterSubscribing: .milliseconds(500))
  /// The maker's app rests as long, on some models.
  private static let beurer = MeterProfile(
    restAfterSubscribing: .milliseconds(300), restBeforeRequest: .milliseconds(2_500))

  /// Glucose meters, by maker; those that cannot be read are last.
  static let glucoseMeters: [MeterModel] = [
    MeterModel(
      maker: "Roche", title: "Accu-Chek Guide, Guide Me", kind: .glucoseMeter, names: ["meter+"], makers: ["Roche"],
      service: .glucose, pairing: "On the meter choose Settings, Wireless, Pairing; type the six digits that it shows.",
      passkey: .display,
      note: "It may send its newest record as soon as it is connected. Inserting a strip ends the connection.",
      sources: [xDrip, uploader, "LookHin/blood-glucose-meter-accu-chek"], proof: .reported),
    MeterModel(
      maker: "Roche", title: "Accu-Chek Aviva Connect, Performa Connect", kind: .glucoseMeter, makers: ["Roche"],
      service: .glucose, pairing: "On the meter choose Settings, Wireless, Pairing; type the six digits that it shows.",
      passkey: .display, sources: [xDrip], proof: .remembered),
    MeterModel(
      maker: "Roche", title: "Accu-Chek Instant", kind: .glucoseMeter, makers: ["Roche"], service: .glucose,
      pairing: "Hold the meter's key until the Bluetooth symbol blinks; type the six digits on its back.",
      passkey: .label, profile: MeterProfile(quirks: [.utcWithoutOffset]),
      note: "It sends no meals. Some send their times in UTC: compare the first record with the meter's display.",
      sources: ["\(xDrip) pull request 4000", "LookHin/blood-glucose-meter-accu-chek"], proof: .reported),
    MeterModel(
      maker: "Roche", title: "Accu-Chek Active (2020 and later)", kind: .glucoseMeter, makers: ["Roche"],
      service: .glucose,
      pairing: "Hold the meter's key until the Bluetooth symbol blinks; type the six digits on its back.",
      passkey: .label, sources: [vital], proof: .fromSources),
    MeterModel(
      maker: "Ascensia", title: "Contour Next One, Contour Plus One", kind: .glucoseMeter, names: ["Contour"],
      makers: ["Ascensia", "Contour"], service: .glucose,
      pairing: "Hold the meter's key until its light flashes blue; confirm if you are asked.", passkey: .none,
      note: "The meter has to hold at least one record. Its inner clock is UTC, and it sends the zone as time offset.",
      sources: [xDrip, "weliem/blessed-android", "LiamsGitHub/GlucometerBluetoothToHealthKit"], proof: .reported),
    MeterModel(
      maker: "Ascensia", title: "Contour Plus, Contour Next (2020 and later)", kind: .glucoseMeter,
      makers: ["Ascensia", "Contour"], service: .glucose,
      pairing: "Choose Pairing in the meter's menu, or hold its key until the light flashes blue.", passkey: .none,
      sources: [xDrip], proof: .remembered),
    MeterModel(
      maker: "LifeScan", title: "OneTouch Verio Flex, Verio Reflect, Select Plus Flex", kind: .glucoseMeter,
      names: ["OneTouch"], service: .oneTouch,
      pairing: "Switch Bluetooth on in the meter's menu; type the six digits that it shows.", passkey: .display,
      note: "It speaks a protocol of LifeScan's own. Its values are mg/dL, its times those of its display.",
      sources: [xDrip, uploader, vital], proof: .fromSources),
    MeterModel(
      maker: "LifeScan", title: "OneTouch Ultra Plus Reflex", kind: .glucoseMeter, names: ["OneTouch"],
      service: .oneTouch, pairing: "Switch Bluetooth on in the meter's menu; type the six digits that it shows.",
      passkey: .display, sources: [xDrip], proof: .remembered),
    MeterModel(
      maker: "i-SENS", title: "CareSens N Premier, CareSens Dual; ReliOn Premier BLU, Premier Classic",
      kind: .glucoseMeter, names: ["CareSens", "ReliOn"], makers: ["i-SENS"], service: .glucose,
      pairing: "Hold the meter's key until Bluetooth is on; type the six digits that it shows.", passkey: .display,
      profile: iSens, note: "Some send no records until the maker's app has set their clock once.",
      sources: [xDrip, uploader], proof: .reported),
    MeterModel(
      maker: "TaiDoc", title: "Fora Diamond Mini, TNG Voice", kind: .glucoseMeter, names: ["TNG VOICE"],
      service: .glucose, pairing: "Switch the meter on; pairing asks for nothing.", passkey: .none,
      profile: MeterProfile(quirks: [.movingNumbers, .wrongOffsets, .placeholderSerial]),
      note: "It numbers its records anew with each measurement, so all of them are read each time.",
      sources: [uploader, "markchuang56/iOS-Demo"], proof: .fromSources),
    MeterModel(
      maker: "Beurer", title: "GL50 EVO", kind: .glucoseMeter, names: ["Beurer GL50EVO", "GL50"], makers: ["Beurer"],
      service: .glucose, pairing: "Switch the meter on; type the six digits from its display or its papers.",
      passkey: .label, profile: beurer, note: "The digits appear to be fixed for each meter.",
      sources: ["N0ury/pygl50_evo", "N0ury/ESP32-GL50_EVO-NimBLE"], proof: .reported),
    MeterModel(
      maker: "Beurer", title: "GL22, GL34, GL40, GL44, GL48, GL49, GL60", kind: .glucoseMeter,
      names: ["Beurer GL", "GL22", "GL34", "GL40", "GL44", "GL48", "GL49", "GL60"], makers: ["Beurer"],
      service: .glucose, pairing: "Switch the meter on; type the six digits from its display or its papers.",
      passkey: .unknown, profile: beurer, sources: ["an analysis of the maker's app 1.20.1"], proof: .fromSources),
    MeterModel(
      maker: "AgaMatrix", title: "Jazz Wireless 2", kind: .glucoseMeter, service: .glucose,
      pairing: "Hold the meter's key until the Bluetooth symbol blinks.", passkey: .unknown,
      note: "No open program is known to read it.", sources: ["a list of another app: expected to work"],
      proof: .remembered),
    MeterModel(
      maker: "Roche", title: "Accu-Chek Mobile", kind: .glucoseMeter, makers: ["Roche"], service: nil,
      pairing: "Pairing works.", passkey: .display, note: "It pairs but sends no records.",
      sources: ["\(xDrip) issue 1615", "j-kaltes/Juggluco issue 400"], proof: .reported),
  ]
}
