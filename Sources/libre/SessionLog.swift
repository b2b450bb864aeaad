// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreDocuments
import LibreKit
import Logging
import NFCTransport
import SampleSinks
import SampleStore
import SampleSync

/// Log lines: with `-v` each step, with `-v -v` also each exchange with the reader, each setting and the facts behind a
/// decision. Secrets, sensor identifiers and measured values are never logged.
extension Session {
  /// Logs every setting that differs from the default, and its origin.
  func logSettings() {
    guard logger.logLevel <= .debug else { return }
    logger.debug("configuration", metadata: ["file": "\(file?.path ?? "none")", "version": "\(Program.version)"])
    for setting in Setting.all where configuration[setting].origin != .standard {
      let value = configuration[setting]
      logger.debug(
        "setting", metadata: ["key": "\(setting.key)", "value": "\(value.text)", "from": "\(value.origin.text)"])
    }
  }

  // MARK: Reading

  func log(_ event: ScanEvent) {
    switch event {
    case .waiting: logger.info("waiting for a sensor", metadata: ["reader": "\(configuration[.reader].text)"])
    case .started: logger.info("sensor found")
    case .progress: break
    case .lost(let read, let blocks):
      logger.info(
        "sensor lost", metadata: ["blocks_read": .stringConvertible(read), "blocks": .stringConvertible(blocks)])
    }
  }

  func log(_ exchange: ReaderExchange) {
    var details: Logger.Metadata = [
      "question": "\(exchange.question)", "outcome": "\(exchange.outcome)",
      "duration_ms": Self.milliseconds(exchange.duration),
    ]
    details["answer_bytes"] = exchange.answerBytes.map { .stringConvertible($0) }
    logger.debug("exchange", metadata: details)
  }

  /// Logs the costs of a scan.
  func log(_ report: ScanReport) {
    logger.info(
      "scanned",
      metadata: [
        "reader": "\(report.reader.name)", "dialect": "\(report.reader.dialect)",
        "taps": .stringConvertible(report.taps), "exchanges": .stringConvertible(report.meter.exchanges),
        "block_reads": .stringConvertible(report.meter.blockReads),
        "air_time_ms": Self.milliseconds(report.meter.airTime), "elapsed_ms": Self.milliseconds(report.elapsed),
      ])
  }

  /// Logs a reading, with `-v -v` also the facts behind it.
  func log(_ reading: SensorReading) {
    logger.info(
      "decoded",
      metadata: [
        "format": "\(reading.source.format ?? "scan")", "family": "\(reading.sensor.family.rawValue)",
        "state": "\(reading.sensor.state.name)", "history": .stringConvertible(reading.history.count),
        "trend": .stringConvertible(reading.trend.count), "problems": .stringConvertible(reading.problems.count),
      ])
    logger.debug(
      "decoded by",
      metadata: [
        "header": "\(reading.integrity.header.name)", "body": "\(reading.integrity.body.name)",
        "footer": "\(reading.integrity.footer.name)", "calibration": "\(reading.calibration?.model ?? "none")",
        "time_from": "\(reading.readAtSource.rawValue)", "bytes": .stringConvertible(reading.memory.bytes.count),
        "missing_blocks": .stringConvertible(reading.memory.missingBlocks.count),
        "problems": "\(reading.problems.map(\.code).joined(separator: ","))",
      ])
  }

  /// Logs how the store merged and dated a scan.
  func log(_ receipt: ScanReceipt) {
    logger.info(
      "stored",
      metadata: [
        "new": .stringConvertible(receipt.added), "completed": .stringConvertible(receipt.filled),
        "known": .stringConvertible(receipt.known), "is_new_scan": "\(receipt.isNewScan)",
      ])
    logger.debug(
      "dated",
      metadata: [
        "wear": .stringConvertible(receipt.wear ?? 0), "is_new_wear": "\(receipt.isNewWear)",
        "is_provisional": "\(receipt.isProvisional)",
        "disagreement_seconds": .stringConvertible(receipt.disagreementSeconds ?? 0),
      ])
  }

  // MARK: Importing and sending

  /// Logs the progress of an import.
  func log(_ event: Importer.Event) {
    switch event {
    case .checking(let path, let values):
      logger.debug("checking", metadata: ["file": "\(path)", "values": .stringConvertible(values)])
    case .storing(let path, let values):
      logger.debug("storing", metadata: ["file": "\(path)", "values": .stringConvertible(values)])
    case .done(let tally):
      logger.info(
        "imported",
        metadata: [
          "file": "\(tally.path)", "format": "\(tally.format)", "scans": .stringConvertible(tally.counts.scans),
          "new": .stringConvertible(tally.counts.added), "known": .stringConvertible(tally.counts.known),
          "completed": .stringConvertible(tally.counts.filled), "conflicts": .stringConvertible(tally.counts.conflicts),
          "left_out": .stringConvertible(tally.counts.leftOut),
        ])
    case .failed: break
    }
  }

  func log(_ setup: SinkSetup) {
    logger.debug(
      "sink",
      metadata: [
        "name": "\(setup.name)", "type": "\(setup.type.name)",
        "send": "\(setup.parts.map(\.rawValue).sorted().joined(separator: ","))",
        "secret_from": "\(setup.secretOrigin(environment: environment) ?? "none")",
        "timeout_seconds": .stringConvertible(setup.timeoutSeconds),
      ])
  }

  /// Logs an event that is not reported otherwise.
  func log(_ event: SyncEvent) {
    // A daemon looks for new samples every half a minute.
    let level: Logger.Level = event.kind == .nothingToSync ? .debug : .info
    logger.log(
      level: level, "\(SyncText.words(for: event))", metadata: ["sink": "\(event.sink)", "event": "\(event.kind.name)"])
  }

  func log(_ exchange: CourierExchange, sink: String) {
    var details: Logger.Metadata = [
      "sink": "\(sink)", "method": "\(exchange.method)", "address": "\(exchange.address)",
      "duration_ms": Self.milliseconds(exchange.duration), "bytes_sent": .stringConvertible(exchange.sentBytes),
    ]
    details["messages"] = exchange.messages.map { .stringConvertible($0) }
    details["status"] = exchange.status.map { .stringConvertible($0) }
    details["bytes_received"] = exchange.receivedBytes.map { .stringConvertible($0) }
    details["failure"] = exchange.failure.map { "\($0)" }
    logger.info("request", metadata: details)
    for header in exchange.headers {
      logger.debug("request header", metadata: ["sink": "\(sink)", "header": "\(header)"])
    }
  }

  private static func milliseconds(_ duration: Duration) -> Logger.Metadata.Value {
    .stringConvertible(duration / .milliseconds(1))
  }
}
