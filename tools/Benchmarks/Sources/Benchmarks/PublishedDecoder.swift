// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What published decoders do, kept as the yardstick: bits one by one out of an array, copies of slices, the checksum
/// byte by byte, one logarithm and three powers a record. Written from the description of the method; correct, and slow.
struct PublishedDecoder {
  struct Sample {
    let minute: Int
    let glucose: Double
  }

  struct Result {
    var state = 0
    var age = 0
    var trend: [Sample] = []
    var history: [Sample] = []
  }

  private let crcTable: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { register, _ in register & 1 == 1 ? register >> 1 ^ 0x8408 : register >> 1 }
  }

  /// Sensitivity and offset for each i2, expanded as the published tables are.
  let sensitivity: [(offset: Double, sensitivity: Double)]

  func decode(_ memory: [UInt8]) -> Result? {
    let header = Array(memory[0..<24])
    let body = Array(memory[24..<320])
    let footer = Array(memory[320..<344])
    guard [header, body, footer].allSatisfy({ checksumHolds($0) }) else { return nil }
    var result = Result()
    result.state = Int(header[4])
    result.age = Int(body[292]) + Int(body[293]) << 8
    let i2 = readBits(header, 2, 3, 10)
    let sign = readBits(footer, 16, 33, 1)
    let i3 = sign == 0 ? readBits(footer, 16, 0, 8) : -readBits(footer, 16, 0, 8)
    let i4 = readBits(footer, 16, 8, 14)
    let i6 = readBits(footer, 16, 52, 12) << 2
    let maxLife = Int(footer[6]) + Int(footer[7]) << 8
    let trendIndex = Int(body[2])
    let historyIndex = Int(body[3])
    let newestTrend = result.age - mod(result.age - trendIndex, 16)
    let quarters = min(result.age, maxLife) / 15
    let newestHistory = (quarters - mod(quarters - historyIndex, 32)) * 15
    for i in 0..<16 where newestTrend - i > 0 {
      let slot = mod(trendIndex - 1 - i, 16)
      let record = Array(body[(4 + slot * 6)..<(10 + slot * 6)])
      if let glucose = concentration(record, i2: i2, i3: i3, i4: i4, i6: i6) {
        result.trend.append(Sample(minute: newestTrend - i, glucose: glucose))
      }
    }
    for i in 0..<32 where newestHistory - 15 * i > 0 {
      let slot = mod(historyIndex - 1 - i, 32)
      let record = Array(body[(100 + slot * 6)..<(106 + slot * 6)])
      if let glucose = concentration(record, i2: i2, i3: i3, i4: i4, i6: i6) {
        result.history.append(Sample(minute: newestHistory - 15 * i, glucose: glucose))
      }
    }
    return result
  }

  private func concentration(_ record: [UInt8], i2: Int, i3: Int, i4: Int, i6: Int) -> Double? {
    let raw = readBits(record, 0, 0, 14)
    let hasError = readBits(record, 0, 25, 1) == 1
    let temperature = readBits(record, 0, 26, 12) << 2
    var adjustment = readBits(record, 0, 38, 9) << 2
    if readBits(record, 0, 47, 1) == 1 { adjustment = -adjustment }
    guard !hasError, raw > 0, i2 > 0, i4 != i3 else { return nil }
    let resistance = Double(temperature) * 72500.0 / Double(adjustment + i6) - 1000.0
    guard resistance > 0 else { return nil }
    let logResistance = log(resistance)
    let inverse =
      0.0009180023 + 0.0001964561 * logResistance + 0.0000007061775 * pow(logResistance, 2)
      + 0.00000005283566 * pow(logResistance, 3)
    let celsius = 1 / inverse - 273.15
    guard (0.0...50.0).contains(celsius) else { return nil }
    let current = 65.0 * Double(raw - i3) / Double(i4 - i3)
    let warmed = current * pow(1.045, 32.5 - celsius)
    let row = sensitivity[i2 - 1]
    return (warmed - row.offset) / row.sensitivity
  }

  private func readBits(_ buffer: [UInt8], _ byteOffset: Int, _ bitOffset: Int, _ bitCount: Int) -> Int {
    guard bitCount != 0 else { return 0 }
    var result = 0
    for i in 0..<bitCount {
      let total = byteOffset * 8 + bitOffset + i
      let byte = Int(floor(Double(total) / 8))
      let bit = total % 8
      if total >= 0 && (buffer[byte] >> bit) & 0x1 == 1 { result |= 1 << i }
    }
    return result
  }

  private func checksumHolds(_ region: [UInt8]) -> Bool {
    let stored = UInt16(region[0]) | UInt16(region[1]) << 8
    var register: UInt16 = 0xFFFF
    for byte in Array(region.dropFirst(2)) {
      register = register >> 8 ^ crcTable[Int((register ^ UInt16(byte)) & 0xFF)]
    }
    var reversed: UInt16 = 0
    for _ in 0..<16 {
      reversed = reversed << 1 | register & 1
      register >>= 1
    }
    return reversed == stored
  }

  private func mod(_ value: Int, _ modulus: Int) -> Int { (value % modulus + modulus) % modulus }
}
