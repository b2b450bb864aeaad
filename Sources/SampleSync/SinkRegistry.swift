// SPDX-License-Identifier: Apache-2.0
package import LibreKit
package import SampleSinks

extension Registry {
  package static let sinkTypes: [SinkType] = [
    NightscoutSink.type, NightscoutV3Sink.type, MQTTSink.type, InfluxSink.type, WebhookSink.type, VitalSink.type,
    TidepoolSink.type, FHIRSink.type, FileSink.type,
  ]
}
