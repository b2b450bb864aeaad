// SPDX-License-Identifier: Apache-2.0
package import CGMModel
package import TextFormats

/// The request for a data set of Tidepool, to which records are added (HistoryFormats/Formats, "tidepool"): one for each
/// wear of a sensor, and one for all values without a sensor.
package enum TidepoolDataSet {
  package static func writeMembers(
    of sensor: SensorIdentity?, client: String, _ context: ExportContext, to json: inout JSONWriter
  ) {
    json.object("client") { json in
      json.member("name", client)
      json.member("version", context.version)
    }
    json.member("dataSetType", "continuous")
    json.object("deduplicator") { json in
      json.member("name", "org.tidepool.deduplicator.dataset.delete.origin")
      json.member("version", "1.0.0")
    }
    if let sensor {
      json.member("deviceId", "Libre-\(sensor.serial ?? sensor.uid?.description ?? "")")
      if let manufacturer = sensor.family.manufacturer { json.member("deviceManufacturers", [manufacturer]) }
      json.member("deviceModel", sensor.productName)
      json.memberIfKnown("deviceSerialNumber", sensor.serial)
      json.member("deviceTags", ["cgm"])
    } else {
      json.member("deviceId", context.program)
      json.member("deviceModel", context.program)
      json.member("deviceTags", ["bgm", "cgm"])
    }
    json.member("time", context.now.rfc3339Milliseconds)
    json.member("timeProcessing", "none")
    json.memberIfKnown("timezone", context.clock.zoneName)
    json.member("timezoneOffset", LocalMoment(context.now, context).offsetMinutes)
  }
}
