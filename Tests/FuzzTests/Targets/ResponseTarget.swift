// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport

@testable import LibreKit

/// A tag's answer to a request.
enum ResponseTarget {
  static let all = [
    FuzzTarget(name: "answers-frame", seeds: { frames }, longest: 64, testRuns: 1_000, run: parse)
  ]

  static let requests: [ISO15693.Request] =
    [
      .inventory, .systemInformation, .patchInfo(.texasInstruments), .readBlock(3),
      .readWideBlock(300, .texasInstruments),
    ]
    + [ISO15693.BlockRun(first: 0, count: 2), ISO15693.BlockRun(first: 3, count: 3)].compactMap(\.self).map {
      .readBlocks($0)
    }
    + [ISO15693.WideBlockRun(first: 400, count: 3)].compactMap(\.self).map {
      .readWideBlocks($0, .texasInstruments)
    }

  /// The number of a request, then the answer.
  private static let frames: [[UInt8]] = [
    [0, 0, 0, 0x67, 0x45, 0x23, 0x01, 0x00, 0xA0, 0x07, 0xE0],
    [1, 0, 4, 0x67, 0x45, 0x23, 0x01, 0, 0xA0, 7, 0xE0, 243, 7],
    [2, 0, 0xDF, 0, 0, 1, 1, 0], [2, 0, 0xA5, 0xA5, 0] + [UInt8](repeating: 4, count: 26),
    [3, 0, 1, 2, 3, 4, 5, 6, 7, 8], [4, 1, 0x0F],
    [5, 0] + [UInt8](repeating: 7, count: 16),
    [6, 0] + [UInt8](repeating: 7, count: 24), [7, 0] + [UInt8](repeating: 9, count: 24),
  ]

  private static func parse(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    let request = requests[draw.index(below: requests.count)]
    let frame = Array(draw.rest)
    let data = frame.dropFirst()
    let response = try? ISO15693.Response(frame, to: request)
    guard let flags = frame.first, flags <= 1 || response != nil else { return }
    if flags & 1 == 1 {
      let isRefusal = if case .error = response { true } else { false }
      return try require(isRefusal == (data.count == 1), "a refusal is a flag and a code")
    }
    switch response {
    case nil:
      let blocks = request.blocks.map { 8 * $0.count }
      try require(blocks != data.count, "blocks of the right length are refused")
    case .blocks(let bytes):
      try require(bytes == Array(data) && bytes.count == 8 * (request.blocks?.count ?? 0), "blocks")
    case .patchInfo(let info):
      let isBare = info.bytes == Array(data) && [6, 24].contains(data.count)
      let isSurrounded = data.first == 0xA5 && data.count > 26 && info.bytes == Array(data.suffix(26).prefix(24))
      try require(isBare || isSurrounded, "patch info")
    case .inventory(let uid): try require(uid.bytes.reversed() == data.dropFirst().map(\.self), "UID")
    case .systemInformation(let uid):
      try require(uid.bytes.reversed() == data.dropFirst().prefix(8).map(\.self), "UID")
    case .error: throw OracleFailure(description: "a refusal without its flag")
    }
  }
}
