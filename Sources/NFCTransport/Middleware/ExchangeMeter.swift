// SPDX-License-Identifier: Apache-2.0

/// Counts of a conversation with a tag.
package struct ExchangeMeter: Hashable, Sendable {
  /// Requests sent to the reader, answered or not.
  package private(set) var exchanges = 0
  /// Requests that returned blocks.
  package private(set) var blockReads = 0
  /// Time on air, computed from the lengths of requests and answers. Excludes unanswered requests and those
  /// answered with "not supported", which a reader may answer itself.
  package private(set) var airTime = Duration.zero

  package init() {}

  /// Counts a request and its answer; nil if there was no answer.
  mutating func count(_ request: ISO15693.Request, answer: [UInt8]?) {
    exchanges += 1
    guard let answer, answer != [0x01, TagError.notSupported.code] else { return }
    airTime += request.airTime(answerByteCount: answer.count)
    if request.blocks != nil, answer.first == 0 { blockReads += 1 }
  }
}
