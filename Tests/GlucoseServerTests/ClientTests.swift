// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Existing client programs")
struct ClientTests {
  @Test(
    "every program gets what it needs",
    arguments: ClientRequest.entries + ClientRequest.treatments + ClientRequest.emptyLists + ClientRequest.others
      + ClientRequest.versionThree)
  func served(request: ClientRequest) throws { try request.check(against: ServedExample()) }
}

extension ClientRequest {
  static let json = ["Accept": "application/json"]
  /// 24 hours and 10 minutes before the newest value, in milliseconds since 1970.
  static let day = 1_767_179_100_000
  static let tenMinutes = 1_767_264_900_000
}
