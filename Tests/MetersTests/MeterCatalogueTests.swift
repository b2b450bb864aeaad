// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Meters

@Suite("The catalogue of meters")
struct MeterCatalogueTests {
  @Test("has each model once, with a source and instructions for pairing")
  func entries() {
    for model in MeterCatalogue.all {
      #expect(!model.sources.isEmpty && model.sources.allSatisfy { !$0.isEmpty })
      #expect(model.pairing.hasSuffix(".") && model.note.map { $0.hasSuffix(".") } ?? true)
      #expect(model.service.map(MeterService.meters.contains) ?? true)
      #expect(model.isReadable || model.note != nil)
      let isOfCuff = model.service == .bloodPressure
      #expect(model.service == nil || isOfCuff == (model.kind == .bloodPressureMonitor), "\(model.title)")
    }
    #expect(Set(MeterCatalogue.all.map { "\($0.maker) \($0.title)" }).count == MeterCatalogue.all.count)
  }

  @Test(
    "knows a meter by the beginning of its name in any case, and believes what it says of itself rather than its name",
    arguments: [
      ("meter+01234567", nil, nil, nil, "Accu-Chek Guide, Guide Me"), ("Beurer GL50EVO", nil, nil, nil, "GL50 EVO"),
      ("GL60", nil, nil, nil, "GL22, GL34, GL40, GL44, GL48, GL49, GL60"),
      ("Beurer BM85", nil, nil, nil, "BM85, BM48, Elite 900"),
      ("beurer bm77", nil, nil, nil, "BM59, BM64, BM69, BM77, BM81, BM82, BM92"),
      ("Contour1", "Other Ltd", nil, .glucose, nil), ("Contour1", "Ascensia Diabetes Care", nil, .bloodPressure, nil),
      ("kitchen", "BEURER", "BM57", .bloodPressure, "BM57"),
      // An unknown meter is read by the specification.
      ("Gadget", nil, nil, .glucose, nil), (nil, nil, nil, nil, nil),
    ] as [(String?, String?, String?, MeterService?, String?)])
  func names(name: String?, maker: String?, number: String?, service: MeterService?, title: String?) {
    let services = service.map { [$0] } ?? []
    let model = MeterCatalogue.model(name: name, maker: maker, modelNumber: number, services: services)
    #expect(model?.title == title)
  }

  @Test("has the quirks of a maker whatever the meter's name is, and none of an unknown meter")
  func quirks() {
    #expect(MeterCatalogue.model(name: "my meter", maker: "Roche Diabetes", services: [.glucose])?.maker == "Roche")
    let model = MeterCatalogue.model(name: nil, maker: "i-SENS, Inc.", services: [.glucose])
    #expect(model?.profile.quirks.contains(.ketonesAsGlucose) == true)
    #expect(MeterProfile().quirks.isEmpty && MeterProfile().restBeforeRequest == .zero)
  }
}
