// SPDX-License-Identifier: Apache-2.0
#if !Bluetooth
  import Meters
  import Testing

  @Suite("A build without Bluetooth")
  struct MissingBluetoothTests {
    @Test("reports this when a meter is to be found, and to the doctor")
    func missing() async {
      await #expect(throws: BluetoothError.notInThisBuild) { try await BluetoothAdapter.open(environment: [:]) }
      #expect(await BluetoothReport.take(environment: [:]).obstacle == .notInThisBuild)
    }
  }
#endif
