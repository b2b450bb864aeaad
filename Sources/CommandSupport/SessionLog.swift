// SPDX-License-Identifier: Apache-2.0
import HostSystem
import LibreDocuments
package import Logging
package import SampleSync
package import SensorHistory

/// Log lines: with `-v` each step, with `-v -v` also each exchange with the reader, each setting and the facts behind a
/// decision. Secrets, sensor identifiers and measured values are never logged.
extension Session {
  package typealias Details = [String: (any CustomStringConvertible & Sendable)?]

  /// Details that are nil are left out; numbers stay numbers.
  package func log(_ level: Logger.Level, _ message: String, _ details: @autoclosure () -> Details = [:]) {
    guard logger.logLevel <= level else { return }
    let metadata = details().compactMapValues { $0.map(Logger.Metadata.Value.stringConvertible) }
    logger.log(level: level, "\(message)", metadata: metadata)
  }

  package func logSettings() {
    log(.debug, "configuration", ["file": file?.path ?? "none", "version": Program.version])
    for setting in Setting.all where configuration[setting].origin != .standard {
      let value = configuration[setting]
      log(.debug, "setting", ["key": setting.key, "value": value.text, "from": value.origin.text])
    }
  }

  package func log(_ event: ScanEvent) {
    switch event {
    case .waiting: log(.info, "waiting for a sensor", ["reader": configuration[.reader].text])
    case .started: log(.info, "sensor found")
    case .progress: break
    case .lost(let read, let blocks): log(.info, "sensor lost", ["blocks_read": read, "blocks": blocks])
    }
  }

  package func log(_ exchange: ReaderExchange) {
    log(
      .debug, "exchange",
      [
        "question": "\(exchange.question)", "outcome": "\(exchange.outcome)",
        "duration_ms": exchange.duration / .milliseconds(1), "answer_bytes": exchange.answerBytes,
      ])
  }

  package func log(_ report: ScanReport) {
    log(
      .info, "scanned",
      [
        "reader": report.reader.name, "dialect": "\(report.reader.dialect)", "taps": report.taps,
        "exchanges": report.meter.exchanges, "block_reads": report.meter.blockReads,
        "air_time_ms": report.meter.airTime / .milliseconds(1), "elapsed_ms": report.elapsed / .milliseconds(1),
      ])
  }

  package func remarkLowBattery(of reader: ReaderDescription) {
    guard reader.isBatteryLow, let percent = reader.batteryPercent else { return }
    remark("the battery of \(reader.name) is at \(percent) %: charge it soon")
  }

  package func log(_ reading: SensorReading) {
    log(
      .info, "decoded",
      [
        "format": reading.source.format ?? "scan", "family": reading.sensor.family.rawValue,
        "state": reading.sensor.state.name, "history": reading.history.count, "trend": reading.trend.count,
        "problems": reading.problems.count,
      ])
    log(
      .debug, "decoded by",
      [
        "header": reading.integrity.header.name, "body": reading.integrity.body.name,
        "footer": reading.integrity.footer.name, "calibration": reading.calibration?.model ?? "none",
        "time_from": reading.readAtSource.rawValue, "bytes": reading.memory.bytes.count,
        "missing_blocks": reading.memory.missingBlocks.count,
        "problems": reading.problems.map(\.code).joined(separator: ","),
      ])
  }

  package func log(_ receipt: ScanReceipt) {
    log(
      .info, "stored",
      [
        "new": receipt.added, "completed": receipt.filled, "known": receipt.known, "is_new_scan": receipt.isNewScan,
      ])
    log(
      .debug, "dated",
      [
        "wear": receipt.wear ?? 0, "is_new_wear": receipt.isNewWear, "is_provisional": receipt.doubt != nil,
        "disagreement_seconds": receipt.disagreementSeconds ?? 0,
      ])
  }

  package func log(_ event: Importer.Event) {
    switch event {
    case .checking(let path, let values): log(.debug, "checking", ["file": path, "values": values])
    case .storing(let path, let values): log(.debug, "storing", ["file": path, "values": values])
    case .done(let tally):
      let counts = tally.counts
      log(
        .info, "imported",
        [
          "file": tally.path, "format": tally.format, "scans": counts.scans, "new": counts.added,
          "known": counts.known, "completed": counts.filled, "conflicts": counts.conflicts, "left_out": counts.leftOut,
        ])
    case .failed: break
    }
  }

  package func log(_ setup: SinkSetup) {
    log(
      .debug, "sink",
      [
        "name": setup.name, "type": setup.type.name,
        "send": setup.parts.map(\.rawValue).sorted().joined(separator: ","),
        "secret_from": setup.secretOrigin(environment: environment) ?? "none", "timeout_seconds": setup.timeoutSeconds,
      ])
  }

  /// Logs an event that is not reported otherwise.
  package func log(_ event: SyncEvent) {
    // A daemon looks for new samples every half a minute.
    let level: Logger.Level = event.kind == .nothingToSync ? .debug : .info
    log(level, SyncText.words(for: event), ["sink": event.sink, "event": event.kind.name])
  }

  package func log(_ exchange: CourierExchange, sink: String) {
    log(
      .info, "request",
      [
        "sink": sink, "method": "\(exchange.method)", "address": exchange.address,
        "duration_ms": exchange.duration / .milliseconds(1), "bytes_sent": exchange.sentBytes,
        "messages": exchange.messages, "status": exchange.status, "bytes_received": exchange.receivedBytes,
        "failure": exchange.failure.map { "\($0)" },
      ])
    for header in exchange.headers { log(.debug, "request header", ["sink": sink, "header": header]) }
  }
}

/// Writes log lines as records. Callers never log a UID or a secret.
package struct StderrLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level = .warning

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let pairs = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let details = pairs.sorted { $0.key < $1.key }.map { ($0.key, Self.detail($0.value)) }
    StandardError.write(
      LogRecord(
        logged: "\(event.message)", LogRecord.Level(rawValue: event.level.rawValue) ?? .info, details,
        at: LocalTime.now))
  }

  /// Numbers stay numbers.
  private static func detail(_ value: Logger.Metadata.Value) -> LogRecord.Detail {
    guard case .stringConvertible(let value) = value else { return .text("\(value)") }
    if let value = value as? Int { return .integer(value) }
    if let value = value as? Double { return .number(value) }
    return .text("\(value)")
  }
}
