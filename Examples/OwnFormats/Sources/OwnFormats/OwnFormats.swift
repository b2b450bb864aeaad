// SPDX-License-Identifier: Apache-2.0
//
// Adds a dump format, a history format and a calibration model that libre does not know.
//
//   cd Examples/OwnFormats
//   swift run OwnFormats                     a dump of the project, in the format of this program
//   swift run OwnFormats DUMP DIARY STORE    another dump; values of a diary, into a store
import LibreKit
import SensorHistory

/// A dump: the word `memory`, and the bytes in hexadecimal digits.
struct WordAndDigits: MemoryFileFormat {
  let name = "word-and-digits"
  let summary = "the word memory, and hexadecimal digits"

  func memories(in file: [UInt8]) throws -> [MemoryImage]? {
    let words = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.first == "memory" else { return nil }
    let text = words.dropFirst().joined().utf8
    let digits = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { throw Problem.notHex }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    return [MemoryImage(bytes: bytes)]
  }
}

/// A history: a line for each value, such as `diary 2026-01-01T08:00:00Z 5.6 mmol/L`.
struct Diary: HistoryFileFormat {
  let name = "diary"
  let summary = "a line with time and value for each measurement"

  func values(in file: [UInt8]) throws -> [ImportedSample]? {
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    guard lines.first?.first == "diary" else { return nil }
    return try lines.enumerated().map { index, words in
      guard words.count == 4, words[3] == "mmol/L", let time = Instant(rfc3339: String(words[1])),
        let value = Double(words[2])
      else { throw Problem.badLine(index + 1) }
      return ImportedSample(source: name, time: time, concentration: GlucoseConcentration(millimolesPerLitre: value))
    }
  }
}

enum Problem: Error, CustomStringConvertible {
  case notHex
  case badLine(Int)

  var description: String {
    switch self {
    case .notHex: "the digits are not hexadecimal"
    case .badLine(let number): "line \(number) is not a time and a value in mmol/L"
    }
  }
}

/// A calibration: a tenth of the counts, whatever the temperature. Real models need more than that.
struct TenthOfCounts: CalibrationModel {
  let name = "tenth"

  func description(for parameters: CalibrationParameters?) -> CalibrationDescription? {
    CalibrationDescription(model: name, version: 1, parameters: [])
  }

  func fault(in parameters: CalibrationParameters) -> CalibrationFault? { nil }

  func concentrations(
    of counts: Span<Double>, celsius: Span<Double>, parameters: CalibrationParameters?,
    into output: inout MutableSpan<Double>
  ) {
    for index in counts.indices { output[index] = counts[index] / 10 }
  }
}

@main
struct OwnFormats {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let known = try DumpDecoder().decode(contentsOf: arguments.first ?? "../../SensorDumps/libre1/active.hex")
    let digits = known.memory.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

    // The formats of libre and those of this program.
    var catalogue = Catalogue.standard
    catalogue.add(WordAndDigits())
    catalogue.add(Diary())

    var decoder = DumpDecoder(catalogue: catalogue)
    let reading = try decoder.decode(Array("memory \(digits)".utf8))
    print("\(reading.source.format ?? "unknown format"): \(reading.samples.count) samples")
    do {
      _ = try decoder.decode(Array("memory 5g".utf8))
    } catch {
      print("\(error.code): \(error.message)")
    }

    // The same memory with a calibration of this program.
    decoder.options.calibration = .model(TenthOfCounts())
    let tenths = try decoder.decode(Array("memory \(digits)".utf8))
    if let sample = tenths.history.first, let concentration = sample.concentration {
      print("\(sample.raw.glucose) counts are \(concentration.milligramsPerDecilitre) mg/dL with tenth")
    }

    guard arguments.count > 2 else { return }
    let store = try StoreFile.openForWriting(arguments[2])
    let receipt = try store.importFile(at: arguments[1], catalogue: catalogue)
    print("\(receipt.format): \(receipt.added) values added, \(receipt.known) known")
  }
}
