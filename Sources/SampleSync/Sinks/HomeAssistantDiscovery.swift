// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HistoryFormats
import SensorHistory
import TextFormats

/// Automatic discovery by Home Assistant: retained documents below its prefix, `entity` one for each value (read: its
/// pages), or `device` one for all, from 2024.11 on (second-hand). Older versions ignore members that they do not
/// know (read).
///
/// A sink has one device, because it belongs to one person: its name is the sink's topic. Neither it nor an entity's
/// `unique_id` contains sensor data, so that entities and their history continue with the next sensor. The sensor is
/// named in the state, whose members Home Assistant shows as attributes of the glucose entity.
struct HomeAssistantDiscovery {
  enum Form: String, CaseIterable {
    case entity, device, none
  }

  private struct Entity {
    let key: String
    let name: String
    let member: String
    let more: (inout JSONWriter) -> Void
  }

  let topic: String
  let prefix: String
  let form: Form
  /// Seconds after which a value is no longer shown; 0 for never.
  let expireAfter: Int
  let unit: GlucoseUnit
  var stateTopic: String { "\(topic)/state" }
  var availabilityTopic: String { "\(topic)/status" }

  /// Topic as a part of Home Assistant's names, which have no levels.
  private var node: String { topic.replacing("/", with: "_") }
  private var deviceTopic: String { "\(prefix)/device/\(node)/config" }
  private func topic(of entity: Entity) -> String { "\(prefix)/sensor/\(node)_\(entity.key)/config" }

  private func triggerTopic(_ kind: String) -> String { "\(prefix)/device_automation/\(node)_\(kind)/config" }
  func alertTopic(_ kind: String) -> String { "\(topic)/alert/\(kind)" }

  /// Every topic of a document in any form, also of parts that are not sent now.
  var topics: [String] {
    entities(Set(SampleBatch.Part.allCases)).map(topic(of:)) + [deviceTopic]
      + AlertKind.allCases.map { triggerTopic($0.rawValue) }
  }

  /// The document of a trigger of the device, which fires with each alert of a kind (remembered: its pages, "MQTT device
  /// trigger").
  func trigger(_ kind: String, _ context: ExportContext) -> [MQTTMessage] {
    if form == .none { return [] }
    return [
      message(triggerTopic(kind)) { json in
        json.member("automation_type", "trigger")
        json.member("type", "alert")
        json.member("subtype", kind)
        json.member("topic", alertTopic(kind))
        writeDevice(context, to: &json)
      }
    ]
  }

  func messages(_ parts: Set<SampleBatch.Part>, _ context: ExportContext) -> [MQTTMessage] {
    let entities = entities(parts)
    switch form {
    case .none: return []
    case .entity:
      return entities.map { entity in
        message(topic(of: entity)) { json in
          writeMembers(of: entity, to: &json)
          writeTopics(to: &json)
          writeDevice(context, to: &json)
        }
      }
    case .device:
      let document = message(deviceTopic) { json in
        writeDevice(context, to: &json)
        json.object("origin") { json in
          json.member("name", context.program)
          json.member("sw_version", context.version)
        }
        json.object("components") { json in
          for entity in entities {
            json.object(entity.key) { json in
              json.member("platform", "sensor")
              writeMembers(of: entity, to: &json)
            }
          }
        }
        writeTopics(to: &json)
      }
      return [document]
    }
  }

  private func message(_ topic: String, _ members: (inout JSONWriter) -> Void) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: JSONWriter.line { $0.object(members) }, isRetained: true)
  }

  private func writeTopics(to json: inout JSONWriter) {
    json.member("state_topic", stateTopic)
    json.member("availability_topic", availabilityTopic)
  }

  private func writeMembers(of entity: Entity, to json: inout JSONWriter) {
    json.member("name", entity.name)
    json.member("unique_id", "\(node)_\(entity.key)")
    json.member("value_template", "{{ value_json.\(entity.member) }}")
    entity.more(&json)
  }

  private func writeDevice(_ context: ExportContext, to json: inout JSONWriter) {
    json.object("device") { json in
      json.member("identifiers", [node])
      json.member("name", context.person ?? "FreeStyle Libre")
      json.member("manufacturer", "Abbott")
      json.member("model", "FreeStyle Libre")
    }
  }

  private func entities(_ parts: Set<SampleBatch.Part>) -> [Entity] {
    func writeTimestamp(to json: inout JSONWriter) {
      json.member("device_class", "timestamp")
      json.member("entity_category", "diagnostic")
    }
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
      Entity(key: "time", name: "Last value", member: "time", more: writeTimestamp),
    ]
    if parts.contains(.trend) {
      entities.append(
        Entity(key: "direction", name: "Direction", member: "direction") { json in
          json.member("icon", "mdi:trending-up")
          writeExpiry(to: &json)
        })
    }
    if parts.contains(.sensor) {
      let states: [SensorState] = [.notActivated, .warmingUp, .active, .expired, .shutdown, .failure, .unknown(nil)]
      entities += [
        Entity(key: "state", name: "Sensor state", member: "state") { json in
          json.member("device_class", "enum")
          json.member("options", states.map(\.name))
          json.member("entity_category", "diagnostic")
        },
        Entity(key: "expires", name: "Sensor expires", member: "expires", more: writeTimestamp),
      ]
    }
    return entities
  }

  private func writeExpiry(to json: inout JSONWriter) {
    if expireAfter > 0 { json.member("expire_after", expireAfter) }
  }
}
