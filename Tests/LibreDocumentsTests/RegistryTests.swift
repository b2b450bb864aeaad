// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Foundation
import Libre1Core
import LibreDocuments
import LibreKit
import NFCTransport
import SampleSync
import TestSupport
import Testing

@testable import CommandSupport

/// Conformance: every element of the registry follows the rules for its kind.
struct RegistryTests {
  @Test("every name occurs once, and is in lower case")
  func names() {
    let lists = [
      Catalogue.standard.dumpFormats.map(\.name), Catalogue.standard.readerBackends.map(\.scheme),
      Catalogue.standard.calibrations.map(\.name),
      OutputFormat.allCases.map(\.rawValue), SchemaDocument.all.map(\.name), Scenario.all.map(\.name),
      Setting.all.map(\.key), SinkType.all.map(\.name),
    ]
    for names in lists {
      #expect(!names.isEmpty)
      #expect(Set(names).count == names.count)
      for name in names { #expect(name.wholeMatch(of: /[a-z][a-z0-9_.-]*/) != nil, "\(name)") }
    }
  }

  @Test("every summary is one sentence on one line")
  func summaries() {
    let summaries =
      Catalogue.standard.dumpFormats.map(\.summary) + Catalogue.standard.calibrations.map(\.summary)
      + SchemaDocument.all.map(\.summary)
      + Scenario.all.map(\.summary) + SinkType.all.map(\.summary) + Setting.all.map(\.summary)
    for summary in summaries {
      #expect((10...120).contains(summary.count), "\(summary)")
      #expect(!summary.contains("\n"))
    }
  }

  @Test("every dump format refuses an empty file and random noise with a dump error")
  func dumpFormats() {
    var random = SplitMix64(seed: 1)
    for format in Catalogue.standard.dumpFormats {
      #expect(throws: DumpError.self, "\(format.name)") { try format.dumps(in: DumpFile([])) }
      for _ in 0..<300 {
        let count = random.number(1...400)
        let file = random.number(0...1) == 0 ? random.bytes(count) : Array(random.text(count).utf8)
        // What counts is that it returns or throws, and that what it returns ends.
        guard let dumps = try? format.dumps(in: DumpFile(file)) else { continue }
        #expect(dumps.reduce(0) { count, _ in count + 1 } <= file.count)
      }
    }
  }

  @Test("every dump format is found by its names, and no two formats share a name")
  func dumpFormatNames() {
    let names = Catalogue.standard.dumpFormats.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    let detector = DumpDetector(formats: Catalogue.standard.dumpFormats)
    for format in Catalogue.standard.dumpFormats {
      for name in [format.name] + format.aliases { #expect(detector.format(named: name)?.name == format.name) }
    }
  }

  @Test("the usage of every calibration is valid input if its names are replaced by numbers")
  func calibrations() throws {
    for entry in Catalogue.standard.calibrations {
      #expect(entry.usage.hasPrefix(entry.name))
      var text = entry.usage
      for (index, parameter) in entry.parameters.enumerated() {
        #expect(text.contains(parameter))
        text = text.replacing(parameter, with: "\(Double(index) + 0.5)")
      }
      let choice = try #require(CalibrationChoice(text), "\(text)")
      #expect(choice.name == entry.name)
      var options = DecodeOptions()
      options.calibration = choice
      let reading = try DumpDecoder(options: options).decode(LiteralMemory().bytes)
      switch choice {
      case .factory, .model:
        #expect(reading.calibration?.model == entry.name && reading.calibration?.basis == nil)
        #expect(reading.samples.allSatisfy { $0.concentration != nil })
      case .series: #expect(reading.calibration?.model == entry.name && reading.calibration?.basis == .scan)
      case .user:
        #expect(reading.calibration?.model == "factory" && reading.problems.contains(.userCalibrationMissing))
      }
      #expect(Setting.calibration.accepts(text))
      #expect(Setting.calibration.allowed.contains(entry.usage))
      #expect(CalibrationChoice(entry.name + ":x") == nil)
    }
  }

  @Test("the default calibration is in the registry")
  func defaultCalibration() {
    #expect(CalibrationChoice(Setting.calibration.defaultValue) != nil)
    #expect(Catalogue.standard.calibrations.map(\.name).contains(DecodeOptions().calibration.name))
  }

  @Test("every reader accepts addresses of its own scheme only")
  func readers() async throws {
    for backend in Catalogue.standard.readerBackends {
      #expect(try ReaderAddress("\(backend.scheme):x").scheme == backend.scheme)
      let other = try ReaderAddress(backend.scheme == "nfc" ? "replay:x" : "nfc:x")
      await #expect(throws: TransportError.unknownAddress(other.description)) { try await backend.open(other) }
    }
  }

  @Test("every scenario decodes, or is rejected, as it declares")
  func scenarios() {
    for scenario in Scenario.all {
      for seed in 1...UInt64(TestTier.rounds(1, full: 10)) {
        let image = scenario.image(seed: seed)
        #expect(image == scenario.image(seed: seed))
        let file = Array(HexDump.text(of: image, notes: [scenario.summary]).utf8)
        do {
          _ = try DumpDecoder().decode(file)
          #expect(scenario.expectation == .decodes, "\(scenario.name), seed \(seed)")
        } catch {
          #expect(scenario.expectation == .rejected(code: error.code), "\(scenario.name), seed \(seed)")
        }
      }
    }
  }

  @Test("every setting has the same name in the file, the environment and on the command line")
  func settings() {
    for setting in Setting.all {
      #expect(setting.variable == "LIBRE_" + setting.key.uppercased().split(separator: ".").joined(separator: "_"))
      #expect(setting.option == "--" + setting.key.split { "_.".contains($0) }.joined(separator: "-"))
      #expect(!setting.allowed.isEmpty)
    }
  }

  @Test(
    "every published schema is JSON of draft 2020-12, and requires the name of its documents",
    arguments: SchemaDocument.all)
  func schemas(document: SchemaDocument) throws {
    let schema = try JSONValue(parsing: document.jsonSchema.utf8)
    #expect(schema["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
    #expect(document.identifier == "libre.\(document.name)/1")
    #expect(schema["title"] == .string(document.identifier))
    // What other documents hold too is defined by name.
    let rules = schema["$ref"] == .string("#/$defs/sample") ? schema["$defs"]["sample"] : schema
    #expect(rules["properties"]["schema"]["const"] == .string(document.identifier))
    #expect(rules["required"].elements.contains(.string("schema")))
    let required = Set(rules["required"].elements.compactMap(\.text))
    #expect(required.isSubset(of: rules["properties"].keys))
  }

  @Test("the articles on formats have every format of the registry, and say whether it can be written")
  func articles() throws {
    let dumps = try article("DumpFormats")
    for format in Catalogue.standard.dumpFormats {
      let row = dumps.split(separator: "\n").first { $0.hasPrefix("| `\(format.name)` |") }
      let isWritten = row.map { $0.hasSuffix(" yes |") }
      #expect(isWritten == (format is any DumpWriter), "\(format.name): \(row ?? "no row in the article's table")")
    }
    let histories = try article("HistoryFormats")
    for format in Catalogue.standard.historyFormats {
      #expect(histories.contains("\n## \(format.name)\n"), "no section on \(format.name) in the article")
    }
  }

  private func article(_ module: String) throws -> String {
    let path = Repository.root.appendingPathComponent("Sources/\(module)/\(module).docc/Formats.md")
    return String(decoding: try Repository.bytes(at: path), as: UTF8.self)
  }
}
