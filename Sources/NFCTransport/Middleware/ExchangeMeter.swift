// SPDX-License-Identifier: Apache-2.0

/// What a conversation with a tag took.
public struct ExchangeMeter: Hashable, Sendable {
  /// Questions put to the reader, answered or not.
  public private(set) var exchanges = 0
  /// Those of them that brought blocks.
  public private(set) var blockReads = 0
  /// On air, computed from the lengths of questions and answers. Unanswered questions are not in it, nor those that
  /// were answered with "not supported", which a reader says in the tag's place without asking it.
  public private(set) var airTime = Duration.zero

  public init() {}

  /// Counts a question and what came of it; nil if there was no answer.
  mutating func count(_ request: ISO15693.Request, answer: [UInt8]?) {
    exchanges += 1
    guard let answer, answer != [0x01, TagError.notSupported.code] else { return }
    airTime += request.airTime(answerByteCount: answer.count)
    if request.blocks != nil, answer.first == 0 { blockReads += 1 }
  }
}
