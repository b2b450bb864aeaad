// SPDX-License-Identifier: Apache-2.0

/// What came of asking the tag through a reader.
enum DialectOutcome: Hashable, Sendable {
  /// The tag's answer, a refusal too: response flags first, without CRC.
  case answer([UInt8])
  /// The reader says beyond doubt that the tag did not answer, or not so that it could be understood.
  case silence
  /// The reader does not know the command, or not in this form; nothing was sent to the tag.
  case unknownCommand
  /// It did not work, and the reader does not say why.
  case failure
  /// Data that cannot be an answer to the request; how many bytes.
  case malformed(length: Int)
  /// Half a block.
  case fourBytes
}
