// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats
import Glibc
import HistoryFormats
import HostSystem
import Libre1Core
import LibreDocuments
import LibreKit
import NFCTransport
import SampleSinks
import SampleStore
import SampleSync
import TestSupport
import Testing
import TextFormats

struct LibreErrorTests {
  /// One of each kind, with the code and the exit status of LibreDocuments/Contract, "Exit status" to "Error" to 4.
  static let all: [(error: LibreError, code: String, status: Int32)] = [
    (.report(.undatedSensors(count: 2)), "undated_sensors", 65),
    (
      .report(
        .noConverter(
          from: "SVG", to: "PNG", known: ["rsvg-convert"], package: "librsvg2-bin", instead: "--svg")),
      "no_converter", 69
    ),
    (.report(.converterFailed(program: "rsvg-convert", makes: "PNG", status: 1)), "converter_failed", 69),
    (.memory(.wrongLength(found: 176, needed: 344)), "wrong_length", 65),
    (.memory(.crcMismatch(region: "body", stored: 0xC262, computed: 0x1F3A)), "crc_mismatch", 65),
    (.memory(.blockMissing(region: "body", blocks: BlockSet([3, 4, 7]))), "block_missing", 65),
    (.memory(.undatable(blocks: BlockSet([39]))), "block_missing", 65),
    (.memory(.ringIndexOutOfRange(ring: .trend, index: 16, slots: 16)), "ring_index_out_of_range", 65),
    (.memory(.blank(0)), "blank_memory", 65),
    (.memory(.encryptedOrUnknown), "encrypted_or_unknown", 65),
    (.memory(.encryptedWithoutUID(.libre2)), "encrypted_or_unknown", 65),
    (.memory(.unsupportedFamily(.librePro)), "unsupported_family", 65),
    (.memory(.cannotDecrypt(.libre2)), "cannot_decrypt", 65),
    (.dump(.empty), "empty", 65), (.dump(.unknownFormat([])), "unknown_format", 65),
    (.dump(.ambiguousFormat(["hex", "raw"])), "ambiguous_format", 65),
    (.dump(.noSuchFormat("bin", known: ["hex", "raw"])), "no_such_format", 64),
    (.dump(.truncated(found: 300, needed: 344)), "truncated", 65),
    (.dump(.wrongLength(found: 345)), "wrong_length", 65), (.dump(.isText), "is_text", 65),
    (.dump(.isBinary), "is_binary", 65),
    (.dump(.notHex(line: 3, column: 7, character: "O")), "not_hex", 65),
    (.dump(.oddHexDigits(line: 3)), "odd_hex_digits", 65),
    (.dump(.badHeader(line: 2, key: "read-at", value: "now")), "bad_header", 65),
    (.dump(.notThisFormat(lacks: "a line `Filetype: Flipper NFC device`")), "not_this_format", 65),
    (.dump(.badGzip), "bad_gzip", 65), (.dump(.isZip), "is_zip", 65),
    (.dump(.isPacked(by: "xz", command: "xz -dc FILE | libre decode -")), "is_packed", 65),
    (.dump(.isStore), "is_store", 65), (.dump(.isTable(of: "a Parquet file")), "is_table", 65),
    (.dump(.otherEncoding("UTF-16", command: "iconv -f UTF-16 -t UTF-8 FILE")), "other_encoding", 65),
    (.dump(.contradiction(line: 7, key: "uid")), "contradiction", 65),
    (.dump(.badLine(line: 7, expected: "a block of 8 bytes")), "bad_line", 65),
    (.dump(.badField("Card.uid", value: "X")), "bad_field", 65),
    (.dump(.badField("blocks.7", value: nil)), "bad_field", 65),
    (.dump(.badJSON("unexpected end")), "bad_json", 65),
    (.dump(.conflictingBlocks(block: 7, lines: [8, 9])), "conflicting_blocks", 65),
    (.dump(.blockOutOfRange(block: 244, line: 9)), "block_out_of_range", 65),
    (.dump(.overwrittenByProxmark), "overwritten_by_proxmark", 65), (.dump(.noMemory), "no_memory", 65),
    (
      .dump(.severalDumps(2, listed: [.init(number: 1, label: "FRAM", line: 3, goodChecksums: 3)])), "several_dumps", 65
    ),
    (.dump(.ambiguousUID), "bad_uid", 65), (.dump(.takenForLocks), "taken_for_locks", 65),
    (.dump(.recordsOnly), "records_only", 65),
    (
      .dump(.recordsNotRecognised(column: "sensors.measurementState", areSeveral: true)), "records_not_recognised", 65
    ),
    (.dump(.noSuchDump(3, count: 2)), "no_such_dump", 65),
    (.dump(.database("file is not a database")), "database", 65),
    (.dump(.databaseNotInFile), "database_not_in_file", 65),
    (.dump(.cannotWrite(format: "flipper", obstacle: .noUID)), "cannot_write", 65),
    (.dump(.cannotWrite(format: "raw", obstacle: .missingBlocks(BlockSet([3])))), "cannot_write", 65),
    (.dump(.cannotWrite(format: "diable", obstacle: .cutBlock(byteCount: 343))), "cannot_write", 65),
    (.dump(.cannotWrite(format: "raw", obstacle: .otherContent)), "cannot_write", 65),
    (.dump(.cannotWrite(format: "hex", obstacle: .severalMemories)), "cannot_write", 65),
    (.dump(.tooLarge(found: 10_737_418_240, limit: 67_108_864)), "too_large", 65),
    (.dump(.tooLarge(found: nil, limit: 67_108_864)), "too_large", 65), (.input(.notFound), "not_found", 66),
    (.input(.isFolder), "is_folder", 66), (.input(.permissionDenied), "permission_denied", 77),
    (.input(.unreadable("Input/output error")), "unreadable", 66), (.uid(.wrongLength(7)), "bad_uid", 64),
    (.uid(.notHex("x")), "bad_uid", 64), (.uid(.ambiguousOrder), "bad_uid", 64), (.uid(.notISO15693), "bad_uid", 64),
    (.transport(.unknownAddress("usb")), "unknown_address", 64),
    (.transport(.notInThisBuild(scheme: "pcsc")), "not_in_this_build", 69),
    (.transport(.fileUnreadable(path: "t", reason: "No such file")), "file_unreadable", 66),
    (.transport(.badTrace(line: 7)), "bad_trace", 65), (.transport(.traceTooLong), "trace_too_long", 65),
    (.transport(.traceEnded(.readBlock(3))), "trace_ended", 65),
    (.transport(.libraryMissing("libpcsclite.so.1")), "library_missing", 69),
    (.transport(.noDaemon), "no_daemon", 69), (.transport(.accessDenied), "access_denied", 77),
    (.transport(.noReader), "no_reader", 69),
    (.transport(.noReaderNamed("X", present: ["A", "B"])), "no_reader_named", 69),
    (.transport(.readerLacks15693(name: "X")), "reader_lacks_15693", 69),
    (.transport(.fourByteBlocks(name: "X")), "four_byte_blocks", 69),
    (.transport(.readerBusy(name: "X")), "reader_busy", 69),
    (.transport(.readerUnplugged(name: "X")), "reader_unplugged", 69),
    (.transport(.readerSilent(name: "X")), "reader_silent", 69),
    (.transport(.readerFailed(name: "X", reason: "0x8010002F")), "reader_failed", 69),
    (.transport(.port(path: "/dev/x", .missing)), "port_missing", 69),
    (.transport(.port(path: "/dev/x", .denied(group: "dialout"))), "access_denied", 77),
    (.transport(.port(path: "/dev/x", .denied(group: nil))), "access_denied", 77),
    (.transport(.port(path: "/dev/x", .busy)), "reader_busy", 69),
    (.transport(.port(path: "/dev/x", .notSerial)), "not_a_port", 69),
    (.transport(.readerUnfit(name: "X", reason: "too old", remedy: "flash it")), "reader_unfit", 69),
    (.transport(.noTag), "no_tag", 69), (.transport(.otherTag(LiteralMemory.uid)), "other_tag", 65),
    (.transport(.otherCard(atr: [0x3B])), "other_card", 65), (.transport(.tagSilent(block: 5)), "tag_silent", 69),
    (.transport(.tagLost(block: 5)), "tag_lost", 69), (.transport(.tag(.notSupported, block: nil)), "tag_refused", 69),
    (.transport(.malformedResponse(to: .inventory, length: 3)), "malformed_response", 69),
    (.transport(.cancelled), "interrupted", 130),
    (.configuration(.notTOML(path: "/c", reason: "line 1")), "configuration_not_toml", 78),
    (.configuration(.unknownKey(path: "/c", key: "k", known: ["unit"])), "configuration_unknown_key", 78),
    (
      .configuration(.badValue(origin: "LIBRE_UNIT", key: "unit", value: "x", allowed: "y")), "configuration_bad_value",
      78
    ),
    (.configuration(.badOption(name: "--unit", value: "x", allowed: "y")), "bad_option", 64),
    (.configuration(.unreadable(path: "/c", reason: "r")), "configuration_unreadable", 78),
    (.configuration(.cannotEdit(path: "/c", place: "[sinks.night]")), "cannot_edit_configuration", 78),
    (.store(.missing(path: "s")), "no_store", 66),
    (.store(.cannotOpen(path: "s", words: "unable to open database file")), "store_cannot_open", 74),
    (.store(.readOnly(path: "s")), "store_read_only", 74), (.store(.busy(path: "s")), "store_busy", 74),
    (.store(.diskFull(path: "s")), "disk_full", 74), (.store(.diskFullAfterPart(path: "s")), "disk_full", 74),
    (.store(.corrupt(path: "s", words: "malformed")), "store_corrupt", 74),
    (.store(.notAStore(path: "s")), "not_a_store", 74),
    (.store(.foreignSchema(path: "s", words: "sample is missing")), "not_a_store", 74),
    (.store(.earlierSchema(path: "s")), "earlier_store", 74),
    (.store(.newerSchema(path: "s", found: 9, known: 1)), "newer_store", 74),
    (.store(.notInThisBuild), "no_sqlite", 74), (.store(.database(path: "s", words: "locked")), "store_failed", 74),
    (.store(.sensorUnknown), "sensor_unknown", 65), (.store(.minutesEstimated), "minutes_estimated", 65),
    (.store(.noSuchSensor("0M")), "no_such_sensor", 66),
    (.store(.ambiguousSensor("0M", ["0M1", "0M2"])), "ambiguous_sensor", 64),
    (.store(.noSuchWear(3)), "no_such_wear", 66), (.store(.noSuchEntry("d1f5603b")), "no_such_entry", 66),
    (.store(.nothingToCalibrateWith), "nothing_to_calibrate_with", 65),
    (.store(.correctionTooLarge(slope: "1.90", offset: "75")), "correction_too_large", 65),
    (.store(.noUserCalibration), "no_user_calibration", 65), (.store(.neverDated), "never_dated", 65),
    (.store(.badAnchor("x")), "bad_anchor", 64),
    (.store(.impossibleActivation(Instant(secondsSince1970: 0))), "impossible_activation", 64),
    (.history(.notThisFormat(lacks: "a header")), "not_this_format", 65),
    (.history(.unknownFormat), "unknown_format", 65),
    (.history(.ambiguousFormat(["tidepool", "nightscout"])), "ambiguous_format", 65),
    (.history(.noSuchFormat("x", known: ["csv"])), "no_such_format", 64),
    (.history(.badLine(7, "too few fields")), "bad_line", 65),
    (.history(.badField(line: 7, name: "sgv", value: "x")), "bad_field", 65),
    (.history(.badField(line: nil, name: "sgv", value: "x")), "bad_field", 65),
    (.history(.otherUnit(line: 7, name: "glucose", value: "104")), "bad_field", 65),
    (.history(.refused(2, first: [.badLine(7, "x"), .badLine(8, "y")])), "bad_line", 65),
    (.history(.wrongUnit(.milligramsPerDecilitre, example: "5.6")), "wrong_unit", 65),
    (.history(.columnsMissing(["BG"], found: ["a", "b"])), "column_missing", 65),
    (.history(.columnsMissing([], found: ["a", "b"])), "column_missing", 65),
    (
      .history(
        .importedBefore(
          number: 1, at: Instant(secondsSince1970: 0), then: "in Europe/Rome", now: "in Europe/Berlin")),
      "imported_before", 65
    ),
    (.history(.ambiguousDates(example: "03/04/2024")), "ambiguous_dates", 65),
    (.history(.unknownUnit), "unknown_unit", 65), (.history(.columnMissing("Record Type")), "column_missing", 65),
    (.history(.severalSubjects(FileSubjects(column: "id", names: ["S1", "S2"]))), "several_subjects", 65),
    (.history(.noSuchSubject("S3", FileSubjects(column: "id", names: ["S1", "S2"]))), "no_such_subject", 65),
    (.history(.noSubjects), "no_subjects", 65),
    (.history(.tooLarge(found: 2_000_000, limit: 1_048_576)), "too_large", 65),
    (.history(.truncated("the array is not closed")), "truncated", 65),
    (.history(.unreadable("the file cannot be read")), "unreadable", 65),
    (.sink(.noSuchSink("x", known: ["night"])), "no_such_sink", 64),
    (.sink(.badName("X")), "bad_sink_name", 78),
    (.sink(.exists("night", path: "/c")), "sink_exists", 64),
    (.sink(.unknownKey(sink: "night", key: "k", known: ["url"])), "sink_unknown_key", 78),
    (.sink(.option(sink: "night", .missing(key: "url"))), "sink_option_missing", 78),
    (.sink(.option(sink: "night", .bad(key: "url", value: "x", allowed: "y"))), "sink_option_bad", 78),
    (.sink(.option(sink: "night", .plainHTTP(url: "http://x"))), "sink_plain_http", 78),
    (.sink(.option(sink: "night", .secretMissing)), "sink_secret_missing", 78),
    (.sink(.noneChosen), "no_sink_chosen", 64), (.sink(.noSinks), "no_sinks", 78),
    (.sink(.notEnrolled("night")), "sink_not_enrolled", 78),
    (.sink(.secretUnreadable(path: "/s", reason: "r")), "secret_unreadable", 77),
    (.sink(.secretTooOpen(path: "/s", mode: "644")), "secret_too_open", 77),
    (.sink(.secretCommandFailed(status: 1)), "secret_command_failed", 77),
    (.sink(.secretEmpty(origin: "/s")), "secret_empty", 77),
    (.sink(.secretMissing(variable: "LIBRE_WEBHOOK_SECRET")), "secret_missing", 77),
    (.sink(.hasParked("night", count: 2)), "sink_has_parked", 64),
    (.sink(.beingSent(path: "s")), "being_sent", 75),
    (.sink(.libraryMissing(name: "libcurl", package: "libcurl4")), "library_missing", 69),
    (.sink(.signature(.malformed)), "signature_malformed", 65),
    (.sink(.signature(.outOfTime(seconds: 400, tolerance: 300))), "signature_out_of_time", 77),
    (.sink(.signature(.mismatch)), "signature_wrong", 77),
    (.output(.refused(path: "out.hex", number: ENOSPC)), "cannot_create_output", 73),
    (.output(.isStore(path: "history.sqlite")), "cannot_create_output", 73),
    (.output(.isInput(path: "a.hex", input: "a.hex")), "cannot_create_output", 73),
    (.output(.wouldLose(path: "a.hex", loss: "the UID")), "would_lose_data", 73),
    (
      .configuration(.unknownVariables(["LIBRE_UNITS"], known: ["LIBRE_UNIT"])), "configuration_unknown_variable", 78
    ),
    (.configuration(.noPlace(of: "the store", variable: "XDG_DATA_HOME", option: "--store FILE")), "no_home", 78),
  ]

  @Test("every error has a stable code and the documented exit status", arguments: all)
  func codes(error: LibreError, code: String, status: Int32) {
    #expect(error.code == code)
    #expect(error.exitStatus == status)
    #expect(error.code.wholeMatch(of: /[a-z0-9_]+/) != nil)
  }

  @Test("every error gives the problem and a fix, each in one line without a full stop", arguments: all)
  func sentences(error: LibreError, code: String, status: Int32) {
    for text in [error.message, error.resolution] {
      #expect(text.count >= 5)
      #expect(!text.contains("\n"))
      #expect(!text.hasSuffix("."))
    }
  }

  @Test("an error about two numbers contains both")
  func numbers() {
    let pairs: [(LibreError, [String])] = [
      (.memory(.crcMismatch(region: "body", stored: 0xC262, computed: 0x1F3A)), ["body", "C262", "1F3A"]),
      (.memory(.wrongLength(found: 176, needed: 344)), ["176", "344"]),
      (.memory(.ringIndexOutOfRange(ring: .history, index: 32, slots: 32)), ["history", "32", "31"]),
      (.memory(.blockMissing(region: "body", blocks: BlockSet([3, 4, 7]))), ["body", "3 to 4", "7"]),
      (.dump(.truncated(found: 300, needed: 344)), ["300", "344"]),
      (.dump(.wrongLength(found: 345)), ["345", "344", "1952"]),
      (.dump(.empty), ["empty", "344"]),
      (.dump(.tooLarge(found: 10_737_418_240, limit: 67_108_864)), ["10737418240", "67108864"]),
      (.dump(.notHex(line: 3, column: 7, character: "O")), ["3", "7", "O"]),
      (.dump(.badHeader(line: 2, key: "read-at", value: "now")), ["2", "read-at", "now"]),
      (.transport(.tagLost(block: 12)), ["12"]), (.transport(.tagSilent(block: 12)), ["12"]),
      (.transport(.tag(.blockNotAvailable, block: 12)), ["12", "10"]),
      (.transport(.malformedResponse(to: .readBlock(12), length: 3)), ["3", "12"]),
      (.transport(.noReaderNamed("X", present: ["A", "B"])), ["X", "A, B"]),
    ]
    for (error, parts) in pairs {
      for part in parts { #expect(error.message.contains(part), "\(error.message) lacks \(part)") }
    }
  }

  @Test("an error is a document with the documented members, and a family only if there is one", arguments: all)
  func document(error: LibreError, code: String, status: Int32) throws {
    for path in ["a \"dump\".bin", nil] as [String?] {
      var writer = JSONWriter(indented: false)
      ErrorJSON.write(error, path: path, to: &writer)
      let document = try JSONValue(parsing: writer.bytes)
      #expect(document["schema"] == .string("libre.error/1"))
      #expect(document["code"] == .string(code))
      #expect(document["message"] == .string(error.message))
      #expect(document["resolution"] == .string(error.resolution))
      #expect(document["source"]["path"] == path.map(JSONValue.string) ?? .null)
      var keys: Set<String> = ["schema", "code", "message", "resolution", "source"]
      if let family = error.family {
        keys.insert("family")
        #expect(document["family"] == .string(family.rawValue))
      }
      #expect(document.keys == keys)
    }
  }

  @Test("an error of any layer is wrapped as the libre error that contains it", arguments: all)
  func wrapping(error: LibreError, code: String, status: Int32) {
    #expect(LibreError(wrapping: error) == error)
    #expect(LibreError(wrapping: error.cause) == error)
  }

  @Test("an error without an explanation is not wrapped")
  func foreign() {
    struct Foreign: Error {}
    #expect(LibreError(wrapping: Foreign()) == nil)
  }

  @Test("the error asks for the UID if the byte order of the given one is not clear")
  func uid() throws {
    for error in [UIDError.ambiguousOrder, .notISO15693, .wrongLength(7), .notHex("x")] {
      #expect(LibreError.uid(error).resolution.contains("--uid"))
    }
    // LibreDocuments/Contract, "Family and UID": the same goes for a UID that stands in the dump with E0 at neither
    // end.
    let error = #expect(throws: LibreError.self) {
      try DumpDecoder().decode(Array("# uid: 0102030405060708\n00".utf8))
    }
    #expect(error?.resolution.contains("--uid") == true)
  }
}
