// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What published decoders do, kept as the yardstick: bits one by one out of a buffer, copies of slices, the checksum
/// byte by byte, one logarithm and three powers a record. Written from the description of the method; correct, and slow.
///
/// Published code keeps its bytes in `Data`. With `[UInt8]` for `Buffer` the same method shows how much of the time is
/// `Data`'s.
struct PublishedDecoder<Buffer>
where Buffer: RandomAccessCollection & RangeReplaceableCollection, Buffer.Element == UInt8, Buffer.Index == Int {
  struct Reading {
    var state = 0
    var trend: [Value] = []
    var history: [Value] = []
  }

  private let sensitivities: [(offset: Double, sensitivity: Double)]
  private let checksumTable: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { register, _ in register & 1 == 1 ? register >> 1 ^ 0x8408 : register >> 1 }
  }

  init(sensitivities: [(offset: Double, sensitivity: Double)]) { self.sensitivities = sensitivities }

  /// nil unless all three checksums hold: what the method makes of damaged memories is not compared.
  func reading(of memory: Buffer) -> Reading? {
    let header = Buffer(memory[0..<24])
    let body = Buffer(memory[24..<320])
    let footer = Buffer(memory[320..<344])
    guard checksumHolds(header), checksumHolds(body), checksumHolds(footer) else { return nil }
    let parameters = Parameters(
      i2: readBits(header, 2, 3, 10),
      i3: readBits(footer, 16, 33, 1) == 1 ? -readBits(footer, 16, 0, 8) : readBits(footer, 16, 0, 8),
      i4: readBits(footer, 16, 8, 14), i6: readBits(footer, 16, 52, 12) << 2)
    let age = Int(body[292]) + Int(body[293]) << 8
    let maximumLife = Int(footer[6]) + Int(footer[7]) << 8
    let trendIndex = Int(body[2])
    let historyIndex = Int(body[3])
    let newestTrend = age - modulo(age - trendIndex, 16)
    let quarters = min(age, maximumLife) / 15
    let newestHistory = (quarters - modulo(quarters - historyIndex, 32)) * 15

    var reading = Reading()
    reading.state = Int(header[4])
    for back in 0..<16 where newestTrend - back > 0 {
      let record = Record(body, at: 4 + modulo(trendIndex - 1 - back, 16) * 6, with: self)
      guard let value = concentration(of: record, parameters) else { continue }
      reading.trend.append(Value(minute: newestTrend - back, milligramsPerDecilitre: value))
    }
    for back in 0..<32 where newestHistory - 15 * back > 0 {
      let record = Record(body, at: 100 + modulo(historyIndex - 1 - back, 32) * 6, with: self)
      guard let value = concentration(of: record, parameters) else { continue }
      reading.history.append(Value(minute: newestHistory - 15 * back, milligramsPerDecilitre: value))
    }
    return reading
  }

  private struct Parameters {
    let i2: Int
    let i3: Int
    let i4: Int
    let i6: Int
  }

  private struct Record {
    let glucose: Int
    let errorField: Int
    let hasError: Bool
    let temperature: Int
    let adjustment: Int

    init(_ body: Buffer, at offset: Int, with decoder: PublishedDecoder) {
      glucose = decoder.readBits(body, offset, 0, 14)
      errorField = decoder.readBits(body, offset, 14, 11)
      hasError = decoder.readBits(body, offset, 25, 1) == 1
      temperature = decoder.readBits(body, offset, 26, 12) << 2
      let magnitude = decoder.readBits(body, offset, 38, 9) << 2
      adjustment = decoder.readBits(body, offset, 47, 1) == 1 ? -magnitude : magnitude
    }
  }

  private func concentration(of record: Record, _ p: Parameters) -> Double? {
    // The error field says why; it is part of what a decoder reads, so it must not be optimised away.
    guard !record.hasError || record.errorField < 0, record.glucose > 0, p.i2 > 0, p.i4 != p.i3 else { return nil }
    let resistance = Double(record.temperature) * 72500.0 / Double(record.adjustment + p.i6) - 1000.0
    guard record.adjustment + p.i6 > 0, resistance > 0 else { return nil }
    let logResistance = log(resistance)
    let inverse =
      0.0009180023 + 0.0001964561 * logResistance + 0.0000007061775 * pow(logResistance, 2)
      + 0.00000005283566 * pow(logResistance, 3)
    let celsius = 1 / inverse - 273.15
    guard celsius >= 0, celsius <= 50 else { return nil }
    let current = 65.0 * Double(record.glucose - p.i3) / Double(p.i4 - p.i3)
    let warmed = current * pow(1.045, 32.5 - celsius)
    let row = sensitivities[p.i2 - 1]
    return (warmed - row.offset) / row.sensitivity
  }

  private func readBits(_ buffer: Buffer, _ byteOffset: Int, _ bitOffset: Int, _ bitCount: Int) -> Int {
    guard bitCount != 0 else { return 0 }
    var result = 0
    for i in 0..<bitCount {
      let total = byteOffset * 8 + bitOffset + i
      let byte = Int(floor(Float(total) / 8))
      let bit = total % 8
      if total >= 0 && (buffer[byte] >> bit) & 0x1 == 1 { result |= 1 << i }
    }
    return result
  }

  private func checksumHolds(_ region: Buffer) -> Bool {
    let stored = UInt16(region[0]) | UInt16(region[1]) << 8
    var register: UInt16 = 0xFFFF
    for byte in Buffer(region.dropFirst(2)) {
      register = register >> 8 ^ checksumTable[Int((register ^ UInt16(byte)) & 0xFF)]
    }
    var reversed: UInt16 = 0
    for _ in 0..<16 {
      reversed = reversed << 1 | register & 1
      register >>= 1
    }
    return reversed == stored
  }

  private func modulo(_ value: Int, _ modulus: Int) -> Int { (value % modulus + modulus) % modulus }
}
