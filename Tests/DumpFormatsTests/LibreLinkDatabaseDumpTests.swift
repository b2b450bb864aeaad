// SPDX-License-Identifier: Apache-2.0
#if SQLite
  import CGMModel
  @testable import DumpFormats
  import HostSystem
  import Libre1Core
  import TestSupport
  import Testing

  @Suite("The records that LibreLink kept of a sensor's newest scan") struct LibreLinkDatabaseDumpTests {
    private static let sensor = SimulatedSensor(seed: 3)
    private static let readAt = Instant(secondsSince1970: 1_714_644_900)
    private static let notRecognised = DumpError.recordsNotRecognised(
      column: "sensors.measurementState", areSeveral: false)

    private func database(
      _ state: [UInt8], sampleNumber: String = "NULL", patchInfo: String = "NULL", readAt: String = "1714644900346"
    ) throws -> XDripDatabase {
      let database = try XDripDatabase(LibreLinkTables.sql)
      try database.execute(
        """
        UPDATE sensors SET measurementState = \(XDripDatabase.blob(state)), lastScanTimestampUTC = \(readAt),
          lastScanSampleNumber = \(sampleNumber), initialPatchInformation = \(patchInfo)
        """)
      return database
    }

    private func dumps(_ database: XDripDatabase) throws(DumpError) -> [Result<Dump, DumpError>] {
      Array(try LibreLinkDatabaseDump().dumps(in: DumpFile(ForeignDatabase.signature, path: database.path)))
    }

    private func dump(_ database: XDripDatabase) throws -> Dump {
      let dumps = try dumps(database)
      try #require(dumps.count == 1)
      return try dumps[0].get()
    }

    private func records(_ state: [UInt8]) throws -> AppRecords {
      try #require(try dump(try database(state)).records)
    }

    /// True if a sample has the counts that the simulated sensor measured.
    private func isRight(_ sample: RawSample, _ record: RecordFields) -> Bool {
      Int(sample.glucose) == record.glucose && Int(sample.temperature) == record.temperature
        && Int(sample.temperatureAdjustment) == record.temperatureAdjustment && sample.hasError == record.hasError
    }

    @Test(
      "are recognised by their minutes, at any position and in any order", arguments: LibreLinkState.Order.allCases)
    func orders(order: LibreLinkState.Order) throws {
      let state = LibreLinkState(Self.sensor, newestTrend: 6_007, newestHistory: 6_000, order: order).bytes
      for bytes in [state, Array(state.dropFirst(1_233)), Array(state.prefix(5_321))] {
        let found = try records(bytes)
        #expect(found.trend.map(\.minute.value) == Array((5_992...6_007).reversed()))
        #expect(found.history.map(\.minute.value) == (0..<32).map { 6_000 - 15 * $0 })
        #expect(found.trend.allSatisfy { isRight($0, Self.sensor.trendRecord(minute: $0.minute.value)) })
        #expect(found.history.allSatisfy { isRight($0, Self.sensor.historyRecord(minute: $0.minute.value)) })
        #expect(found.trend.allSatisfy { $0.ring == .trend } && found.history.allSatisfy { $0.ring == .history })
      }
    }

    @Test(
      "of a young sensor have a shorter history, and none in the first minutes",
      arguments: [(17, 0), (29, 15), (31, 15), (47, 45), (479, 465), (480, 465), (483, 480)],
      LibreLinkState.Order.allCases)
    func young(newest: (trend: Int, history: Int), order: LibreLinkState.Order) throws {
      let state = LibreLinkState(
        Self.sensor, newestTrend: newest.trend, newestHistory: newest.history, order: order)
      let minutes = stride(from: newest.history, to: 0, by: -15).prefix(32)
      #expect(try records(state.bytes).history.map(\.minute.value) == Array(minutes))
    }

    @Test("of a sensor that has ended have a history that ends earlier")
    func ended() throws {
      let state = LibreLinkState(Self.sensor, newestTrend: 21_400, newestHistory: 20_700)
      #expect(try records(state.bytes).history.first?.minute == SensorMinute(20_700))
    }

    @Test("with flags are errors without a reason, and no record has an error field")
    func flags() throws {
      var sensor = Self.sensor
      sensor.disturbedMinutes = [5_995...5_996]
      let found = try records(LibreLinkState(sensor, newestTrend: 6_007, newestHistory: 6_000).bytes)
      #expect(found.trend.filter(\.hasError).map(\.minute.value) == [5_996, 5_995])
      #expect((found.trend + found.history).allSatisfy { $0.errorField == nil && $0.errors.isEmpty })
    }

    @Test("are an error that names the column if they are not found or contradict each other, not if they are copied")
    func unrecognised() throws {
      func failure(_ state: LibreLinkState) throws -> DumpError? {
        if case .failure(let error) = try dumps(try database(state.bytes))[0] { error } else { nil }
      }
      #expect(try failure(LibreLinkState()) == Self.notRecognised)
      var trendAlone = LibreLinkState()
      trendAlone.add(Self.sensor.trendRecord, newest: 6_007, slots: 16, every: 1, .ring, at: 70)
      #expect(try failure(trendAlone) == Self.notRecognised)
      let state = LibreLinkState(Self.sensor, newestTrend: 6_007, newestHistory: 6_000)
      let several = DumpError.recordsNotRecognised(column: "sensors.measurementState", areSeveral: true)
      for (minute, slots, step) in [(6_006, 16, 1), (5_985, 32, 15)] {
        var second = state
        second.add(Self.sensor.trendRecord, newest: minute, slots: slots, every: step, .ring, at: 9_000)
        #expect(try failure(second) == several)
      }
      var copied = state
      copied.add(Self.sensor.trendRecord, newest: 6_007, slots: 16, every: 1, .newestFirst, at: 9_000)
      #expect(try failure(copied) == nil)
      // No record of a memory can hold such counts.
      var impossible = state
      impossible.add(
        { _ in RecordFields(glucose: 20_000, temperature: 7_000) }, newest: 900, slots: 16, every: 1, .ring, at: 9_000)
      #expect(try failure(impossible) == nil)
    }

    @Test("have the time and age of the scan, but no time if the app's minute of the last scan is another one")
    func time() throws {
      let state = LibreLinkState(Self.sensor, newestTrend: 6_007, newestHistory: 6_000).bytes
      for (number, age, isOfScan) in [
        ("NULL", 6_007, true), ("6007", 6_007, true), ("6008", 6_008, true), ("6009", 6_007, false),
        ("6006", 6_007, false),
      ] {
        let dump = try dump(try database(state, sampleNumber: number))
        #expect(dump.records?.ageMinutes == age, "\(number)")
        #expect(dump.image.readAt == (isOfScan ? Self.readAt : nil), "\(number)")
      }
      let timeless = try dump(try database(state, readAt: "NULL"))
      #expect(timeless.image.readAt == nil && timeless.image.uid == SensorUID(bits: 0xE007_A000_0123_4567))
    }

    @Test("have a patch info only if six bytes name a family")
    func patchInfo() throws {
      let state = LibreLinkState(Self.sensor, newestTrend: 6_007, newestHistory: 6_000).bytes
      for (value, expected) in [
        ("x'DF0000010100'", PatchInfo([0xDF, 0, 0, 1, 1, 0])), ("x'DF00000101'", nil), ("x'000000000000'", nil),
        ("'DF0000010100'", nil), ("7", nil),
      ] {
        #expect(try dump(try database(state, patchInfo: value)).image.patchInfo == expected, "\(value)")
      }
    }

    @Test("are read only for a sensor of which no scan is left, and after the scans of others")
    func besideScans() throws {
      let state = LibreLinkState(Self.sensor, newestTrend: 6_007, newestHistory: 6_000).bytes
      let database = try database(state)
      let scan = XDripDatabase.blob(TextFixture.memory)
      try database.execute(
        """
        INSERT INTO sensors (serialNumber, uniqueIdentifier, measurementState)
          VALUES ('0M00028U5DX', x'6845230100A007E0', x'00');
        INSERT INTO rawScans VALUES (x'DF0000010100', \(scan), NULL, 2, 1714644900346);
        """)
      #expect(try dumps(database).map { try $0.get().records != nil } == [false, true])
      try database.execute("UPDATE rawScans SET sensorId = 1")
      let other = try dumps(database)
      try #require(other.count == 2)
      #expect(try other[0].get().records == nil)
      #expect(other[1] == .failure(Self.notRecognised))
      try database.execute("DELETE FROM sensors WHERE sensorId = 2; DROP TABLE rawScans")
      #expect(try dump(database).records != nil)
      try database.execute("UPDATE sensors SET measurementState = NULL")
      #expect(try dumps(database).isEmpty)
    }
  }
#endif
