// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite("Existing client programs")
struct ClientTests {
  @Test("every program gets what it needs, for each of its request lines", arguments: Client.all)
  func served(client: Client) throws {
    for request in client.requests { try request.check(against: ServedExample()) }
  }
}

extension Client {
  static let all = followers + homes + watches + exporters

  static let json = ["Accept": "application/json"]
  static let anything = ["Accept": "*/*"]
  /// 24 hours, 3 hours and 10 minutes before the newest value.
  static let day = 1_767_179_100_000
  static let threeHours = 1_767_254_700_000
  static let tenMinutes = 1_767_264_900_000
}
