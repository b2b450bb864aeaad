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
    for names in [
      Catalogue.standard.dumpFormats.map(\.name), Catalogue.standard.readerBackends.map(\.scheme),
      Catalogue.standard.calibrations.map(\.name), OutputFormat.allCases.map(\.rawValue),
      SchemaDocument.all.map(\.name), Scenario.all.map(\.name), Setting.all.map(\.key), SinkType.all.map(\.name),
    ] {
      #expect(!names.isEmpty && Set(names).count == names.count)
      for name in names { #expect(name.wholeMatch(of: /[a-z][a-z0-9_.-]*/) != nil, "\(name)") }
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

  @Test("every kind of reader that this build drives can be named, and accepts addresses of its own scheme only")
  func readers() async throws {
    var schemes: Set = ["proxmark", "flipper", "phone", "sim", "replay"]
    #if PCSC
      schemes.insert("pcsc")
    #endif
    #if LibNFC
      schemes.insert("nfc")
    #endif
    #if Bluetooth
      schemes.insert("bridge")
    #endif
    #expect(Set(Catalogue.standard.readerBackends.map(\.scheme)) == schemes)
    for backend in Catalogue.standard.readerBackends {
      #expect(try ReaderAddress("\(backend.scheme):x").scheme == backend.scheme)
      let other = try ReaderAddress(backend.scheme == "nfc" ? "replay:x" : "nfc:x")
      await #expect(throws: TransportError.unknownAddress(other.description)) { try await backend.open(other) }
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
    for format in Catalogue.standard.listedHistories {
      #expect(histories.contains("\n## \(format.name)\n"), "no section on \(format.name) in the article")
    }
  }

  private func article(_ module: String) throws -> String {
    let path = Repository.root.appendingPathComponent("Sources/\(module)/\(module).docc/Formats.md")
    return String(decoding: try Repository.bytes(at: path), as: UTF8.self)
  }
}
