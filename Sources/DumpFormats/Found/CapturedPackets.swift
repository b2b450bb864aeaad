// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The packets of a recording of a radio, a USB or a network, in which a memory stands in pieces: libpcap in both byte
/// orders, pcapng and btsnoop.
enum CapturedPackets {
  private static let layer = "captured packets"
  /// Longer packets hold more than a piece, which is found as it stands.
  private static let longest = 160
  /// The most bytes that protocols put before a piece: those of USB and a smart card reader are 74.
  private static let headerLimit = 96

  /// Takes the same number of bytes off every packet, for each number that is possible: the checksums show which is
  /// right.
  static func search(_ file: [UInt8], _ found: inout FoundList) {
    let packets = packets(of: file)
    guard !packets.isEmpty else { return }
    for header in 1...headerLimit {
      var rows = RowStreams(layer)
      var all = MemorySearch(layer)
      var row = ByteRow()
      for packet in packets where packet.count > header {
        row.bytes = Array(file[packet.dropFirst(header)])
        row.places = Array(packet.dropFirst(header))
        rows.take(row, &found)
        all.append(row.bytes, at: row.places, &found)
      }
      rows.end(&found)
      all.end(&found)
    }
  }

  private static func packets(of file: [UInt8]) -> [Range<Int>] {
    if file.starts(with: "btsnoop\0".utf8) { return records(of: file, from: 16, head: 24, length: 4, isBig: true) }
    for magic in [[0xA1, 0xB2, 0xC3, 0xD4], [0xA1, 0xB2, 0x3C, 0x4D]] as [[UInt8]] {
      if file.starts(with: magic) { return records(of: file, from: 24, head: 16, length: 8, isBig: true) }
      if file.starts(with: magic.reversed()) { return records(of: file, from: 24, head: 16, length: 8, isBig: false) }
    }
    return file.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) ? blocks(of: file) : []
  }

  /// Records with a head of one length, in which the number of bytes that follow stands at `length`.
  private static func records(of file: [UInt8], from start: Int, head: Int, length: Int, isBig: Bool) -> [Range<Int>] {
    var packets: [Range<Int>] = []
    var start = start
    while start + head <= file.count {
      let packet = start + head..<start + head + number(file, start + length, isBig)
      guard packet.upperBound <= file.count else { break }
      if packet.count <= longest { packets.append(packet) }
      start = packet.upperBound
    }
    return packets
  }

  /// The packets in the blocks of pcapng, of which those of type 6 have one each.
  private static func blocks(of file: [UInt8]) -> [Range<Int>] {
    var packets: [Range<Int>] = []
    var start = 0
    let isBig = file.dropFirst(8).starts(with: [0x1A, 0x2B, 0x3C, 0x4D])
    while start + 12 <= file.count, case let length = number(file, start + 4, isBig), length >= 12 {
      if number(file, start, isBig) == 6, start + 28 <= file.count {
        let packet = start + 28..<start + 28 + number(file, start + 20, isBig)
        if packet.upperBound <= file.count, packet.count <= longest { packets.append(packet) }
      }
      start += length
    }
    return packets
  }

  private static func number(_ file: [UInt8], _ place: Int, _ isBig: Bool) -> Int {
    let bytes = file[place..<place + 4]
    return isBig ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
