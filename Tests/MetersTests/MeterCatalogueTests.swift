// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Meters

@Suite("The catalogue of meters")
struct MeterCatalogueTests {
  @Test("marks every model as untested, with a source and instructions for pairing", arguments: MeterCatalogue.all)
  func entries(model: MeterModel) {
    #expect(MeterModel.caution == "untested on hardware")
    #expect(!model.maker.isEmpty && !model.title.isEmpty)
    #expect(!model.sources.isEmpty && model.sources.allSatisfy { !$0.isEmpty })
    #expect(model.pairing.hasSuffix("."))
    #expect(model.note.map { $0.hasSuffix(".") } ?? true)
    #expect(model.service.map(MeterService.meters.contains) ?? true)
    #expect(model.isReadable || model.note != nil)
    switch (model.kind, model.service) {
    case (.glucoseMeter, .bloodPressure), (.bloodPressureMonitor, .glucose), (.bloodPressureMonitor, .oneTouch):
      Issue.record("\(model.title) has the service of the other kind")
    case (_, _): break
    }
  }

  @Test("has each model once")
  func unique() {
    let names = MeterCatalogue.all.map { "\($0.maker) \($0.title)" }
    #expect(Set(names).count == names.count)
  }

  @Test(
    "knows a meter by the beginning of its name, without regard to case",
    arguments: [
      ("meter+01234567", "Accu-Chek Guide, Guide Me"), ("Beurer GL50EVO", "GL50 EVO"),
      ("GL60", "GL22, GL34, GL40, GL44, GL48, GL49, GL60"), ("Beurer BM85", "BM85, BM48, Elite 900"),
      ("beurer bm77", "BM59, BM64, BM69, BM77, BM81, BM82, BM92"),
    ])
  func names(name: String, title: String) {
    #expect(MeterCatalogue.model(name: name)?.title == title)
  }

  @Test("believes what the meter says of itself rather than its name")
  func makers() {
    #expect(MeterCatalogue.model(name: "Contour1", maker: "Other Ltd", services: [.glucose]) == nil)
    #expect(MeterCatalogue.model(name: "Contour1", maker: "Ascensia Diabetes Care", services: [.bloodPressure]) == nil)
    #expect(MeterCatalogue.model(name: "my meter", maker: "Roche Diabetes", services: [.glucose])?.maker == "Roche")
    #expect(
      MeterCatalogue.model(name: "kitchen", maker: "BEURER", modelNumber: "BM57", services: [.bloodPressure])?.title
        == "BM57")
    #expect(
      MeterCatalogue.model(name: nil, maker: "i-SENS, Inc.", services: [.glucose])?.profile.quirks.contains(
        .ketonesAsGlucose) == true)
  }

  @Test("does not have an unknown meter, which is read by the specification")
  func unknown() {
    #expect(MeterCatalogue.model(name: "Gadget", services: [.glucose]) == nil)
    #expect(MeterCatalogue.model(name: nil) == nil)
    #expect(MeterProfile().quirks.isEmpty)
    #expect(MeterProfile().restBeforeRequest == .zero)
  }
}
