// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TextFormats

extension JSONValue {
  /// The document that is written.
  init(_ write: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter(indented: true)
    write(&writer)
    try self.init(parsing: writer.bytes)
  }
}
