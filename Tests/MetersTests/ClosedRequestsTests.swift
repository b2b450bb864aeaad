// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import Meters

@Suite("What can be written to a meter")
struct ClosedRequestsTests {
  /// Every request, with numbers from the whole range where it has one.
  private static var all: [MeterRequest] {
    let numbers = stride(from: 0, through: 0xFFFF, by: 51).map { UInt16($0) }
    let reads = MeterCharacteristic.allCases.flatMap { [MeterRequest.read($0), .subscribe($0)] }
    let records: [RecordAccessRequest] = [.countAll, .reportAll, .abort] + numbers.map { .report(from: $0) }
    let commands: [OneTouchRequest] =
      [.time, .newestNumber, .recordCount, .acknowledgement] + numbers.map { .record($0) }
    let bridges = BridgeRequest.allCases.map { MeterRequest.bridge($0) }
    return reads + records.map { .records($0) } + commands.map { .oneTouch($0) } + bridges
  }

  /// A request without its number. The compiler demands a new case here for each new request.
  private static func name(_ request: MeterRequest) -> String {
    switch request {
    case .read, .subscribe: "nothing"
    case .records(.countAll): "04 01"
    case .records(.reportAll): "01 01"
    case .records(.report): "01 03 01 n n"
    case .records(.abort): "03 00"
    case .oneTouch(.time): "01 02 09 00 03 20 02 03 D4 92"
    case .oneTouch(.newestNumber): "01 02 0A 00 03 0A 02 06 03 0A 3F"
    case .oneTouch(.recordCount): "01 02 09 00 03 27 00 03 26 71"
    case .oneTouch(.record): "01 02 0A 00 03 B3 n n 03 c c"
    case .oneTouch(.acknowledgement): "81"
    case .bridge(.miaoMiaoReading): "F0"
    case .bridge(.acceptSensor): "D3 01"
    case .bridge(.bubbleStart): "00 A0 05"
    case .bridge(.bubbleReading): "02 A0 00 00 00 2B"
    }
  }

  @Test("is this list of byte strings and nothing else: no deletion, no clock, no setting")
  func list() {
    var strings: Set<String> = []
    var wrong: [MeterRequest] = []
    for request in Self.all {
      let pattern = Self.name(request)
      strings.insert(pattern)
      guard let written = request.writtenBytes else { continue }
      // It goes to three characteristics only, in one packet of at most 20 bytes.
      #expect(
        [.recordAccess, .oneTouchCommand, .bridgeCommand].contains(request.characteristic) && written.count <= 20)
      let expected = pattern.split(separator: " ").map { HexText.bytes(of: String($0))?.first }
      // n is the number of a record, c the checksum over it.
      let fits = expected.count == written.count && zip(expected, written).allSatisfy { $0 == nil || $0 == $1 }
      if !fits { wrong.append(request) }
    }
    #expect(wrong.isEmpty)
    #expect(
      strings == [
        "nothing", "04 01", "01 01", "01 03 01 n n", "03 00", "01 02 09 00 03 20 02 03 D4 92",
        "01 02 0A 00 03 0A 02 06 03 0A 3F", "01 02 09 00 03 27 00 03 26 71", "01 02 0A 00 03 B3 n n 03 c c", "81",
        "F0", "D3 01", "00 A0 05", "02 A0 00 00 00 2B",
      ])
  }
}
