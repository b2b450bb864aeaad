// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A decoder that completes each reading with what a store knows about its sensor; nothing is stored.
package final class StoreDecoder: Sendable {
  package let decoder: DumpDecoder
  /// The store; nil leaves readings as they are, so that a file gives the same output on every machine.
  private let store: Mutex<SensorStore?>
  private let calibration: CalibrationChoice

  package init(decoder: DumpDecoder, store: sending SensorStore?, calibration: CalibrationChoice) {
    self.decoder = decoder
    self.store = Mutex(store)
    self.calibration = calibration
  }

  package func answers(to part: DumpPart) -> [DumpAnswer] {
    decoder.answers(to: part).map { answer in
      let result = answer.result.flatMap { reading in
        Result { () throws(LibreError) in
          try store.withLock { store throws(LibreError) in
            try store?.complete(reading, calibration: calibration) ?? reading
          }
        }
      }
      return DumpAnswer(result, dump: answer.dump, line: answer.line, input: answer.input)
    }
  }
}
