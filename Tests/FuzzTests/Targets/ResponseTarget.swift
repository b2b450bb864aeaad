// SPDX-License-Identifier: Apache-2.0
import CGMModel
import NFCTransport

@testable import LibreKit

/// A tag's answer to a request, and a scan that is fed with answers without a reader between.
enum ResponseTarget {
  static let all = [
    FuzzTarget(name: "answers-frame", seeds: { frames }, longest: 64, testRuns: 1_000, run: parse),
    FuzzTarget(name: "answers-scan", seeds: { scans }, longest: 2_048, testRuns: 200, run: scan),
  ]

  private static let requests: [ISO15693.Request] =
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

  private static let scans: [[UInt8]] = [[], [0, 2, 1, 0x0F], (0..<64).map { UInt8($0 * 5 % 256) }]

  /// Whatever it is fed, a scan asks only so often, and its image is of whole blocks.
  private static func scan(_ input: [UInt8]) throws {
    var draw = FuzzBytes(input)
    var scan = Scan()
    var asked = 0
    while let request = scan.next() {
      asked += 1
      try require(asked < 4 * input.count + 4_000, "a scan that does not end")
      if draw.isEmpty {
        // From here on the sensor is a good one.
        try? scan.feed(honest(request))
      } else if draw.byte() == 0xEE {
        scan.resume(after: .seconds(Int(draw.byte())))
      } else if let response = try? ISO15693.Response(draw.some(Int(draw.byte())), to: request) {
        try? scan.feed(response)
      } else {
        try? scan.feed(draw.flag() ? .error(TagError(code: draw.byte())) : honest(request, draw.byte()))
      }
      if draw.isEmpty, scan.next() == request, asked > 2_000 { break }
    }
    let image = scan.image(readAt: nil)
    try require(image.bytes.count.isMultiple(of: 8), "whole blocks")
    try require(image.missingBlocks.count + scan.blocksRead == image.bytes.count / 8, "what is read is not missing")
    try DumpOracle.check(image)
  }

  private static func honest(_ request: ISO15693.Request, _ salt: UInt8 = 0) -> ISO15693.Response {
    switch request {
    case .patchInfo:
      PatchInfo([salt & 1 == 0 ? 0xDF : 0x70, 0, salt & 1 == 0 ? 0 : 0x10, 1, 1, 0]).map { .patchInfo($0) }
        ?? .error(.unspecified)
    case .inventory, .systemInformation:
      SensorUID(bits: 0xE007_A000_0123_4500 | UInt64(salt)).map { .inventory($0) } ?? .error(.unspecified)
    case .readBlock, .readBlocks, .readWideBlock, .readWideBlocks:
      .blocks([UInt8](repeating: salt, count: 8 * (request.blocks?.count ?? 0)))
    }
  }
}
