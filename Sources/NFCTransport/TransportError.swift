// SPDX-License-Identifier: Apache-2.0
public import CGMModel

/// Why a sensor could not be read. The culprit is the air, the reader or its set-up, never the bytes.
public enum TransportError: Error, Hashable, Sendable {
  /// Not the address of a reader, or one that leads nowhere.
  case unknownAddress(String)
  /// There is no reader at the address, or this build has no part that could look for it.
  case noReader
  /// The reader works but does not speak ISO 15693.
  case readerLacks15693(name: String)
  /// The system does not let this user have the reader.
  case accessDenied
  /// No tag came in time.
  case noTag
  /// A tag that no maker of sensors made.
  case otherTag(SensorUID)
  /// The tag went silent; at which block, if blocks were being read.
  case tagLost(block: Int?)
  /// The tag answered that it will not; at which block, if blocks were being read.
  case tag(TagError, block: Int?)
  /// The answer to a request is no answer that it can have.
  case malformedResponse(to: ISO15693.Request, length: Int)
}
