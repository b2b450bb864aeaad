// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

/// The JSON that LibreAlarm sends from the watch (DumpFormats/Formats, "LibreAlarm"): `raw_data` is a Java array, so
/// its bytes are signed; a failed reading does not have it. No read time is taken from it: xDrip uses the time of
/// arrival.
struct LibreAlarmDump: DumpFormat, JSONDumpFormat {
  let name = "librealarm"
  let summary = "LibreAlarm's JSON: data with raw_data, an array of signed bytes"
  let signatures = ["\"raw_data\""]
  let members: Set = ["data"]

  func dumps(in file: DumpFile) throws(DumpError) -> DumpSequence {
    let text = try file.lines().bytes
    guard signatures.contains(where: text.contains(text:)), text.contains(text: "\"data\"") else {
      throw .notThisFormat(lacks: "a member data with raw_data")
    }
    return DumpSequence(valuesOf: text, having: signatures) { value throws(DumpError) in
      guard let numbers = try EncodedText.json(Message.self, from: value.text).data?.numbers else { return [] }
      if let index = numbers.firstIndex(where: { !(-128...255).contains($0) }) {
        throw .badField("data.raw_data[\(index)]", value: "\(numbers[index])")
      }
      let image = MemoryImage(bytes: numbers.map { UInt8(truncatingIfNeeded: $0) })
      try DumpLength.check(image.bytes)
      return [.success(Dump(image: image, line: value.line))]
    }
  }
}

private struct Message: Decodable {
  let data: Reading?

  struct Reading: Decodable {
    let numbers: [Int]?

    private enum CodingKeys: String, CodingKey {
      case numbers = "raw_data"
    }
  }
}
