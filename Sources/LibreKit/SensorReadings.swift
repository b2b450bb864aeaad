// SPDX-License-Identifier: Apache-2.0

/// The readings of one reader, one after the other, for as long as somebody asks.
///
/// The reader is open only while it reads, so that the sequence can be left at any time. A failed read is an element and
/// not the end: the sensor may be back for the next one. The sequence ends when its task is cancelled.
public struct SensorReadings: AsyncSequence, Sendable {
  public typealias Element = Result<SensorReading, LibreError>

  let reader: SensorReader
  let interval: Duration

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(readings: self) }

  /// One pass through the readings, which reads when it is asked for the next one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let readings: SensorReadings
    private var isFirst = true

    init(readings: SensorReadings) { self.readings = readings }

    /// Waits for the interval, except before the first reading, and reads. Nil if the task was cancelled.
    public mutating func next() async -> Element? {
      if !isFirst { try? await Task.sleep(for: readings.interval) }
      isFirst = false
      guard !Task.isCancelled else { return nil }
      let element: Element
      do throws(LibreError) {
        element = .success(try await readings.reader.read())
      } catch {
        element = .failure(error)
      }
      return Task.isCancelled ? nil : element
    }
  }
}

extension SensorReader {
  /// Reads again and again, with `interval` between the end of a read and the beginning of the next.
  ///
  /// `timeout` bounds how long each read waits for a sensor.
  public func readings(every interval: Duration) -> SensorReadings { SensorReadings(reader: self, interval: interval) }
}
