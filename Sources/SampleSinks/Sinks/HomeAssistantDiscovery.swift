// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import TextFormats

/// How Home Assistant learns of a sensor by itself: retained documents under its own prefix.
///
/// | form | topic | since |
/// |---|---|---|
/// | `entity` | `homeassistant/sensor/libre_SERIAL_glucose/config`, one for each value | ever (read: its pages) |
/// | `device` | `homeassistant/device/libre_SERIAL/config`, one for all | 2024.11 (second-hand) |
///
/// Members that an older version does not know are passed over there (read).
struct HomeAssistantDiscovery {
  enum Form: String, CaseIterable {
    case entity
    case device
    case none
  }

  /// One value of the state that is shown.
  private struct Entity {
    let key: String
    let name: String
    /// The state's member.
    let member: String
    let more: (inout JSONWriter) -> Void
  }

  let form: Form
  let prefix: String
  let unit: GlucoseUnit
  /// Seconds after which a value is no longer shown; 0 for never.
  let expireAfter: Int
  let stateTopic: String
  let availabilityTopic: String

  func messages(
    _ sensor: SampleBatch.SensorFacts, _ parts: Set<SampleBatch.Part>, _ context: ExportContext
  ) -> [MQTTMessage] {
    let node = "libre_\(sensor.identity.plainLabel)"
    let entities = entities(parts)
    switch form {
    case .none: return []
    case .entity:
      return entities.map { entity in
        message("\(prefix)/sensor/\(node)_\(entity.key)/config") { json in
          writeMembers(of: entity, node, to: &json)
          writeTopics(to: &json)
          writeDevice(sensor, node, to: &json)
        }
      }
    case .device:
      return [
        message("\(prefix)/device/\(node)/config") { json in
          writeDevice(sensor, node, to: &json)
          json.member("origin") { json in
            json.object { json in
              json.member("name", context.program)
              json.member("sw_version", context.version)
            }
          }
          json.member("components") { json in
            json.object { json in
              for entity in entities {
                json.member(entity.key) { json in
                  json.object { json in
                    json.member("platform", "sensor")
                    writeMembers(of: entity, node, to: &json)
                  }
                }
              }
            }
          }
          writeTopics(to: &json)
        }
      ]
    }
  }

  private func message(_ topic: String, _ members: (inout JSONWriter) -> Void) -> MQTTMessage {
    var json = JSONWriter(indented: false)
    json.object(members)
    return MQTTMessage(topic: topic, payload: json.bytes, isRetained: true)
  }

  private func writeTopics(to json: inout JSONWriter) {
    json.member("state_topic", stateTopic)
    json.member("availability_topic", availabilityTopic)
  }

  private func writeMembers(of entity: Entity, _ node: String, to json: inout JSONWriter) {
    json.member("name", entity.name)
    json.member("unique_id", "\(node)_\(entity.key)")
    json.member("value_template", "{{ value_json.\(entity.member) }}")
    entity.more(&json)
  }

  private func writeDevice(_ sensor: SampleBatch.SensorFacts, _ node: String, to json: inout JSONWriter) {
    let family = sensor.identity.family
    json.member("device") { json in
      json.object { json in
        json.member("identifiers", [node])
        json.member("name", "\(family.productName) \(sensor.identity.label)")
        if family != .unknown { json.member("manufacturer", "Abbott") }
        json.member("model", family.productName)
        json.memberIfKnown("serial_number", sensor.identity.serial)
      }
    }
  }

  private func entities(_ parts: Set<SampleBatch.Part>) -> [Entity] {
    var entities = [
      Entity(key: "glucose", name: "Glucose", member: unit == .milligramsPerDecilitre ? "mgdl" : "mmol") { json in
        json.member("device_class", "blood_glucose_concentration")
        json.member("state_class", "measurement")
        json.member("unit_of_measurement", unit.rawValue)
        json.member("suggested_display_precision", unit == .milligramsPerDecilitre ? 0 : 1)
        json.member("force_update", true)
        writeExpiry(to: &json)
        json.member("json_attributes_topic", stateTopic)
      },
      Entity(key: "time", name: "Last value", member: "time") { json in
        json.member("device_class", "timestamp")
        json.member("entity_category", "diagnostic")
      },
    ]
    if parts.contains(.trend) {
      entities.append(
        Entity(key: "direction", name: "Direction", member: "direction") { json in
          json.member("icon", "mdi:trending-up")
          writeExpiry(to: &json)
        })
    }
    if parts.contains(.sensor) {
      let states: [SensorState] = [
        .notActivated, .warmingUp, .active, .expired, .shutdown, .failure, .unknown(nil),
      ]
      entities += [
        Entity(key: "state", name: "Sensor state", member: "state") { json in
          json.member("device_class", "enum")
          json.member("options", states.map(\.name))
          json.member("entity_category", "diagnostic")
        },
        Entity(key: "expires", name: "Sensor expires", member: "expires") { json in
          json.member("device_class", "timestamp")
          json.member("entity_category", "diagnostic")
        },
      ]
    }
    return entities
  }

  private func writeExpiry(to json: inout JSONWriter) {
    if expireAfter > 0 { json.member("expire_after", expireAfter) }
  }
}
