// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Glibc
import HostSystem
import Libre1Core
import LibreDocuments
import Meters
import NFCTransport
import SampleStore
import SampleSync
import TestSupport
import TextFormats

@testable import CommandSupport
@testable import DumpFormats
@testable import GlucoseServer
@testable import HistoryFormats
@testable import LibreKit
@testable import SensorHistory
@testable import libre

/// One error of each kind, and of each situation that has a remedy of its own.
enum EveryError {
  static let all: [any RemediedError] =
    memory + uid + input + output + dump + history + store + transport + configuration + person + report + sink
    + bluetooth
    + meter + server + choice + [InputNotWanted(what: "the secret of night", resolution: "--secret-file FILE")]

  private static let memory: [MemoryError] = [
    .wrongLength(found: 176, needed: 344), .crcMismatch(region: .body, stored: 0xC262, computed: 0x1F3A),
    .blockMissing(region: .body, blocks: BlockSet([3, 4, 7])), .undatable(blocks: BlockSet([39])),
    .ringIndexOutOfRange(ring: .history, index: 32, slots: 32), .blank(0), .encryptedOrUnknown,
    .encryptedWithoutUID(.libre2), .encryptedWithoutPatchInfo(.libre2), .unsupportedFamily(.libre3),
    .unsupportedFamily(.libre2Generation2),
    .cannotDecrypt(.libre2),
    .keyDisagrees(
      .libre2, given: KeyFacts(uid: SensorUID(bits: 0xE007_A000_0025_905E), patchInfo: nil),
      recovered: KeyFacts(uid: SensorUID(bits: 0xE007_A000_0025_905F), patchInfo: nil)),
  ]

  private static let uid: [UIDError] = [.wrongLength(7), .notHex("x"), .ambiguousOrder, .notISO15693]

  private static let input: [InputError] = [
    .notFound, .isFolder, .permissionDenied, .unreadable("Input/output error"),
    .tooLarge(found: nil, limit: 67_108_864),
  ]

  private static let output: [OutputError] =
    [ENOSPC, EFBIG, EACCES, EROFS, ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, EIO].map {
      .refused(path: "a/out.hex", number: $0)
    }
    + [ENOSPC, EDQUOT, EPIPE, EBADF].map { .refused(path: OutputError.standardOutput, number: $0) }
    + [
      .isStore(path: "history.sqlite"), .isInput(path: "a.hex", input: "a.hex"),
      .wouldLose(path: "a.hex", loss: "the UID"),
    ]

  private static let dump: [DumpError] = [
    .empty, .unknownFormat([]), .unknownFormat([.init(format: "hex", error: .oddHexDigits(line: 3))]),
    .ambiguousFormat(["hex", "raw"]), .noSuchFormat("bin", known: ["hex", "raw"]),
    .notThisFormat(lacks: "a line `Filetype: Flipper NFC device`"), .isText, .isBinary,
    .tooLarge(found: 10_737_418_240, limit: 67_108_864), .tooLarge(found: nil, limit: 67_108_864, areLines: true),
    .badGzip, .isZip, .isPacked(by: "xz", command: "xz -dc FILE | libre decode -"), .isTable(of: "a Parquet file"),
    .utf16, .latin1, .isStore, .notHex(line: 3, column: 7, character: "O"), .oddHexDigits(line: 3),
    .badHeader(line: 2, key: "read-at", value: "now"), .badHeader(line: 2, key: "uid", value: "0102"),
    .contradiction(line: 7, key: "uid"), .badLine(line: 7, expected: "a block of 8 bytes"),
    .badField("Card.uid", value: "X"), .badField("blocks.7", value: nil), .badJSON("unexpected end"),
    .truncated(found: 300, needed: 344), .wrongLength(found: 345), .conflictingBlocks(block: 7, lines: [8, 9]),
    .blockOutOfRange(block: 244, line: 9), .overwrittenByProxmark, .ambiguousUID, .takenForLocks, .noMemory,
    .noMemoryInFiles(12), .recordsOnly,
    .severalDumps(2, listed: [.init(number: 1, label: "FRAM", line: 3, goodChecksums: 3)]),
    .severalDumps(nil, listed: [], areLines: true), .noSuchDump(3, count: 2), .database("file is not a database"),
    .databaseNotInFile, .recordsNotRecognised(column: "sensors.measurementState", areSeveral: true),
    .recordsNotRecognised(column: "sensors.measurementState", areSeveral: false),
    .cannotWrite(format: "flipper", obstacle: .noUID),
    .cannotWrite(format: "raw", obstacle: .missingBlocks(BlockSet([3]))),
    .cannotWrite(format: "diable", obstacle: .cutBlock(byteCount: 343)),
    .cannotWrite(format: "flipper", obstacle: .tooManyBlocks(244, limit: 64)),
    .cannotWrite(format: "hex", obstacle: .severalMemories), .cannotWrite(format: "raw", obstacle: .otherContent),
  ]

  private static let subjects = FileSubjects(column: "id", names: ["Ann 1", "S2"])

  private static let history: [HistoryError] =
    [
      .notThisFormat(lacks: "a header"), .unknownFormat, .ambiguousFormat(["tidepool", "nightscout"]),
      .noSuchFormat("x", known: ["csv"]), .badLine(7, "too few fields"),
      .badField(line: 7, name: "sgv", value: "x"), .badField(line: nil, name: "sgv", value: "x"),
      .otherUnit(line: 7, name: "glucose", value: "104"), .refused(2, first: [.badLine(7, "x"), .badLine(8, "y")]),
      .ambiguousDates(example: "03/04/2024"), .unknownUnit, .wrongUnit(.milligramsPerDecilitre, example: "5.6"),
      .wrongUnit(.millimolesPerLitre, example: "104"), .columnMissing("Record Type"),
      .columnsMissing(["BG"], found: ["a", "b"]), .columnsMissing([], found: ["a", "b"]), .severalSubjects(subjects),
      .noSuchSubject("S3", subjects), .noSubjects,
      .importedBefore(number: 1, at: moment, then: "in Europe/Rome", now: "in Europe/Berlin"),
      .tooLarge(found: 2_000_000, limit: 1_048_576), .truncated("the array is not closed"),
      .unreadable("the file cannot be read"),
    ] + foreignBeginnings.compactMap { ForeignHistory(in: Array($0.utf8)) }.map { .foreign($0) }

  private static let foreignBeginnings = [
    #"{"ValueInMgPerDl":104,"FactoryTimestamp":"x"}"#, "<patient><glucose_level>", "CGM Glucose Value (mg/dl)",
    "CGM Glucose Value (mmol/l)", "Sensor Glucose (mg/dL),New Device Time", "Sensor Glucose (mmol/L),New Device Time",
    "\tHistoric Glucose (mg/dL)", "\tHistoric Glucose (mmol/L)", "id,time,gl", #"{"schema_id":"omh:blood-glucose"}"#,
  ]

  private static let moment = Instant(secondsSince1970: 1_714_644_900)

  private static let store: [StoreError] = [
    .missing(path: "s"), .cannotOpen(path: "s", words: "unable to open database file"), .readOnly(path: "s"),
    .busy(path: "s"), .diskFull(path: "s"), .diskFullAfterPart(path: "s"), .corrupt(path: "s", words: "malformed"),
    .logKept(path: "s", words: "disk I/O error"), .isOpen(path: "s", process: 812),
    .notAStore(path: "s"), .foreignSchema(path: "s", words: "sample is missing"),
    .earlierSchema(path: "s"),
    .newerSchema(path: "s", found: 9, known: 1), .notInThisBuild, .database(path: "s", words: "locked"), .sensorUnknown,
    .minutesEstimated, .noValue(path: "s"), .noSuchSensor("0M"), .noSuchSource("x", known: ["table"]),
    .ambiguousSensor("0M", ["0M1", "0M2"]), .noSuchWear(3), .noSuchEntry("d1f5603b"), .noSuchImport(3, known: []),
    .noSuchImport(3, known: [1, 2]), .nothingToCalibrateWith, .correctionTooLarge(slope: "1.90", offset: "75"),
    .noUserCalibration, .neverDated, .startIsProvisional, .badAnchor("x"), .impossibleActivation(moment),
  ]

  private static let transport: [TransportError] = [
    .unknownAddress("usb"), .notInThisBuild(scheme: "pcsc"), .fileUnreadable(path: "t", reason: "No such file"),
    .badTrace(line: 7), .traceTooLong, .traceEnded(.readBlock(3)), .libraryMissing("libpcsclite.so.1"),
    .libraryMissing("libnfc.so.6"), .noDaemon, .serviceStuck(reader: "X"), .accessDenied, .noReader,
    .noPhone(port: 5_566), .noPhone(port: 5_567),
    .noReaderNamed("X", present: ["A", "B"]),
    .readerLacks15693(name: "X"), .fourByteBlocks(name: "X"), .readerBusy(name: "X"), .readerUnplugged(name: "X"),
    .readerSilent(name: "X"), .port(path: "/dev/x", .missing), .port(path: "/dev/x", .denied(group: "dialout")),
    .port(path: "/dev/x", .denied(group: nil)), .port(path: "/dev/x", .busy), .port(path: "TCP port 5567", .busy),
    .port(path: "/dev/x", .notSerial),
    .readerUnfit(name: "X", reason: "too old", remedy: "flash it"), .flipperFile(path: "a.nfc", reason: "denied"),
    .readerFailed(name: "X", reason: "0x8010002F"), .noTag, .otherTag(LiteralMemory.uid), .otherCard(atr: [0x3B]),
    .tagSilent(block: 5), .tagLost(block: 12), .tag(.notSupported, block: nil), .tag(.blockNotAvailable, block: 12),
    .malformedResponse(to: .readBlock(12), length: 3), .cancelled,
  ]

  private static let configuration: [ConfigurationError] = [
    .notTOML(path: "/c", reason: "line 1"), .unknownKey(path: "/c", key: "k", known: ["unit"]),
    .badValue(origin: "LIBRE_UNIT", key: "unit", value: "x", allowed: "mg/dL"),
    .badOption(name: "--unit", value: "x", allowed: "mg/dL"),
    .unknownVariables(["LIBRE_UNITS"], known: ["LIBRE_UNIT"]),
    .noPlace(of: "the store", variable: "XDG_DATA_HOME", option: "--store FILE"),
    .noPlace(of: "the store", variable: "XDG_DATA_HOME", option: nil), .unreadable(path: "/c", reason: "denied"),
    .cannotEdit(path: "/c", place: "[sinks.night]"),
  ]

  private static let ann = ["ann", "ben"].compactMap(Person.init)

  private static let person: [PersonError] = [
    .noSuchPerson("eva", known: []), .noSuchPerson("Eva!", known: []), .noSuchPerson("eva", known: ["ann"]),
    .badName("Eva!"), .exists("ann"), .isUser, .hasSinks("ann", ["night"]),
    .hasValues("ben", sensors: 1, samples: 48),
    .wornMeanwhile(
      UnclaimedSensor(person: .user, others: [], source: .read), startedAt: moment,
      lastReadAt: moment.adding(minutes: 60)),
    .wornMeanwhile(
      UnclaimedSensor(person: ann[0], others: [ann[1]], source: .read), startedAt: moment,
      lastReadAt: moment.adding(minutes: 60)),
    .unclaimed(UnclaimedSensor(person: .user, others: ann, source: .importing)), .belongsTo(ann[0], named: .user),
  ]

  private static let report: [ReportError] = [
    .undatedSensors(count: 2), .nothingFound("no samples since 2024-01-01", resolution: "libre report --from all"),
    .noConverter(from: "SVG", to: "PNG", known: ["rsvg-convert"], package: "librsvg2-bin", instead: "--svg"),
    .noConverter(from: "HTML", to: "PDF", known: ["chromium"], package: "chromium", instead: nil),
    .converterFailed(program: "rsvg-convert", makes: "PNG", status: 1),
    .converterFailed(program: "chromium", makes: "PDF", status: 1),
  ]

  private static let sink: [SinkError] = [
    .noSuchSink("x", known: ["night"]), .badName("X"), .exists("night", path: "/c"),
    .unknownKey(sink: "night", key: "k", known: ["url"]), .option(sink: "night", .missing(key: "url")),
    .option(sink: "night", .bad(key: "url", value: "x", allowed: "https://…")),
    .option(sink: "night", .plainHTTP(url: "http://x")), .option(sink: "night", .secretMissing), .noneChosen, .noSinks,
    .notEnrolled("night"), .secretUnreadable(path: "/s", reason: "denied"), .secretTooOpen(path: "/s", mode: "644"),
    .secretCommandFailed(status: 1), .secretEmpty(origin: "/s"), .secretMissing(variable: "LIBRE_WEBHOOK_SECRET"),
    .hasParked("night", count: 2), .farewellFailed("night", topics: 3, reason: "no answer"), .beingSent(path: "s"),
    .libraryMissing(name: "libcurl", package: "libcurl4"), .signature(.malformed),
    .signature(.outOfTime(seconds: 400, tolerance: 300)), .signature(.mismatch),
  ]

  private static let bluetooth: [BluetoothError] = [
    .notInThisBuild, .libraryMissing("libsystemd.so.0"), .noBus(reason: "x"), .busLost(reason: "x"), .noDaemon,
    .accessDenied, .noAdapter, .adapterOff(name: "hci0", nil), .adapterOff(name: "hci0", .soft),
    .adapterOff(name: "hci0", .hard), .adapterBusy(name: "hci0"), .silent(what: "a search", seconds: 5),
    .failed(what: "a search", reason: "x"), .notFound(meter: "Contour"), .outOfReach(meter: "Contour", reason: "x"),
    .linkLost(meter: "Contour"), .pairingForgotten(meter: "Contour's 1"), .passkeyNeeded(meter: "C0:FF:EE:00:00:01"),
    .passkeyRefused(meter: "Contour"), .passkeyNotConfirmed(meter: "Contour's 1"), .pairingCancelled(meter: "Contour"),
    .pairingRefused(meter: "Contour", reason: "x"), .pairingTimedOut(meter: "Contour"), .cancelled,
  ]

  private static let meter: [MeterError] = [
    .notAMeter("Lamp"), .notPaired(meter: "Contour"), .passkeyNeeded(meter: "Contour"), .busy(meter: "Contour"),
    .refused(meter: "Contour", .subscribe(.glucoseMeasurement), .notPermitted),
    .recordsRefused(meter: "Contour", .operatorNotSupported), .commandRefused(meter: "Contour", .notAllowed),
    .commandRefused(meter: "Contour", .unknown(0x42)), .silent(meter: "Contour", received: 0),
    .silent(meter: "Contour", received: 250), .disconnected(meter: "Contour", received: 0),
    .disconnected(meter: "Contour", received: 1), .brokenOff(meter: "Contour", received: 0),
    .brokenOff(meter: "Contour", received: 3),
    .malformedAnswer(meter: "Contour", .tooShort(expected: 4, got: 3)), .tooManyPackets(meter: "Contour"),
    .cancelled(meter: "Contour", received: 0),
  ]

  private static let server: [ServerError] = [
    .addressInUse(.standard), .accessDenied(.standard), .pathTaken(.unixSocket(path: "/run/libre")),
    .cannotListen(.standard, words: "x"), .secretRequired(.standard), .secretTooShort(minimum: 12), .notInThisBuild,
  ]

  private static let choice: [MeterChoiceError] = [
    .nothingNear, .several(["Contour", "Accu"]), .notSimulated("paired"),
  ]
}
