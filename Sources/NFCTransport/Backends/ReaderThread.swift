// SPDX-License-Identifier: Apache-2.0
import HostSystem

/// A reader's own thread. While a call is stuck in the C library, later calls are refused at once.
typealias ReaderThread = BlockingThread<TransportError>

extension BlockingThread where Failure == TransportError {
  convenience init(_ name: String) {
    self.init("libre.reader.\(name)", cancelled: .cancelled, refusesWhileStuck: true)
  }
}
