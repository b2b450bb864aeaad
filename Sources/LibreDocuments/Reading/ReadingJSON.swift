// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import HistoryFormats
import LibreKit
public import TextFormats

/// `libre.reading/1` (CONTRACT 3).
public enum ReadingJSON {
  /// `unit` adds a value in mmol/L beside the one in mg/dL; it never replaces it. Without samples both rings are null.
  public static func write(
    _ reading: SensorReading, unit: GlucoseUnit, includesSamples: Bool = true, to writer: inout JSONWriter
  ) {
    writer.object { json in
      json.member("schema", SchemaDocument.reading.identifier)
      json.member("id", reading.id.description)
      json.member("read_at", reading.readAt?.rfc3339)
      json.member("read_at_source", reading.readAtSource.rawValue)
      json.member("source") { write(reading.source, to: &$0) }
      json.member("reader") { write(reading.reader, to: &$0) }
      json.member("sensor") { write(reading.sensor, to: &$0) }
      json.member("integrity") { json in
        json.object { json in
          json.member("header", reading.integrity.header.name)
          json.member("body", reading.integrity.body.name)
          json.member("footer", reading.integrity.footer.name)
        }
      }
      if reading.isSalvaged { json.member("salvaged", true) }
      let provenance = reading.calibration.flatMap { CalibrationEntry.summary(of: $0.model) }
      for case .keyRecovered(let uid, let patchInfo) in reading.problems {
        json.member("recovered_uid", uid.description)
        json.member("recovered_patch_info", patchInfo)
      }
      json.member("calibration") { SampleJSON.write(reading.calibration, provenance: provenance, to: &$0) }
      for (name, samples) in [("history", reading.history), ("trend", reading.trend)] {
        json.member(name) { json in
          if includesSamples { json.array(samples) { write($1, unit: unit, to: &$0) } } else { json.null() }
        }
      }
      json.member("current") { write(reading.current, unit: unit, to: &$0) }
      json.member("problems") { json in
        json.array(reading.problems) { json, problem in
          json.object { json in
            json.member("code", problem.code)
            json.member("message", problem.message)
            json.member("resolution", problem.resolution)
          }
        }
      }
      json.member("memory") { write(reading.memory, to: &$0) }
    }
  }

  /// As `libre.dump/1` has it: a reading can be decoded again.
  private static func write(_ memory: MemoryImage, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("bytes", HexText.string(of: memory.bytes))
      json.member("missing_blocks", memory.missingBlocks)
    }
  }

  static func write(_ sample: GlucoseSample, unit: GlucoseUnit, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("id", sample.id?.description)
      SampleJSON.writeMembers(of: sample, unit: unit, to: &json)
    }
  }

  private static func write(_ source: ReadingSource, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("tool", source.tool)
      json.member("path", source.path)
      json.member("format", source.format)
      json.member("dump", source.dump)
      json.member("sha256", source.sha256)
    }
  }

  private static func write(_ reader: ReaderDescription?, to writer: inout JSONWriter) {
    guard let reader else { return writer.null() }
    writer.object { json in
      json.member("address", reader.address)
      json.member("name", reader.name)
      json.member("dialect", reader.dialect)
    }
  }

  private static func write(_ sensor: SensorDescription, to writer: inout JSONWriter) {
    writer.object { json in
      json.member("uid", sensor.uid?.description)
      json.member("serial", sensor.serial)
      json.member("patch_info", sensor.patchInfo?.description)
      json.member("family", sensor.family.rawValue)
      json.member("region", sensor.region?.name)
      json.member("state", sensor.state.name)
      json.member("age_minutes", sensor.ageMinutes)
      json.member("max_life_minutes", sensor.maxLifeMinutes)
      json.member("initializations", sensor.initializations)
      json.member("activated_at", sensor.activatedAt?.rfc3339)
      json.member("expires_at", sensor.expiresAt?.rfc3339)
      json.member("end_of_life") { json in
        json.array(sensor.endOfLife) { json, entry in
          json.object { json in
            json.member("left_state", entry.leftState.name)
            json.member("minute", entry.minute.value)
          }
        }
      }
      json.member("failure") { json in
        guard let failure = sensor.failure else { return json.null() }
        json.object { json in
          json.member("code", Int(failure.code))
          json.member("minute", failure.minute.value)
          json.member("text", failure.text)
        }
      }
    }
  }

  private static func write(_ current: CurrentGlucose?, unit: GlucoseUnit, to writer: inout JSONWriter) {
    guard let current else { return writer.null() }
    writer.object { json in
      json.member("minute", current.minute.value)
      SampleJSON.write(current.concentration, unit: unit, to: &json)
      json.member("rate_mg_dl_per_min", current.ratePerMinute, places: 2)
      json.member("direction", current.direction.rawValue)
    }
  }
}
