// SPDX-License-Identifier: Apache-2.0
import CGMModel
import DumpFormats

// The sentences about dump files; of the other errors they are in ErrorText.swift and TransportErrorText.swift.

extension DumpError {
  var explanation: Explanation {
    switch self {
    case .empty: Explanation("empty", "the input is empty: 0 bytes, where a memory has 344", "make the dump again")
    case .unknownFormat(let refusals) where refusals.isEmpty:
      Explanation(
        "unknown_format", "it is none of the dump formats that libre knows",
        "libre formats lists what can be read; libre import takes histories; --input-format NAME says why it is not that"
      )
    case .unknownFormat(let refusals):
      Explanation(
        "unknown_format",
        "no dump format fits: "
          + refusals.map { "\($0.format): \($0.error.explanation.message)" }.joined(separator: "; "),
        "libre formats lists what can be read; --input-format NAME forces one")
    case .ambiguousFormat(let names):
      Explanation(
        "ambiguous_format", "it reads equally well as \(names.joined(separator: " and "))",
        "choose with --input-format \(names.joined(separator: " or "))")
    case .noSuchFormat(let name, let known):
      Explanation("no_such_format", "there is no dump format \(name)", "choose one of \(known.joined(separator: ", "))")
    case .notThisFormat(let lacks):
      Explanation("not_this_format", "it lacks \(lacks)", "leave out --input-format, or give another")
    case .isText: Explanation("is_text", "it is text, not bytes", "leave out --input-format")
    case .isBinary: Explanation("is_binary", "it is bytes, not text", "leave out --input-format")
    case .tooLarge(let found, let limit):
      Explanation(
        "too_large",
        "\(found.map { "it has \($0) bytes" } ?? "it goes on and on"), and at most \(limit) (\(limit >> 20) MiB) are read",
        "choose the dump of one sensor")
    case .badGzip:
      Explanation("bad_gzip", "it is packed with gzip and damaged", "gzip --test FILE tells more; copy the file again")
    case .isPacked(let by, let program):
      Explanation("is_packed", "it is packed with \(by)", "unpack it first: \(program)")
    case .isStore:
      Explanation(
        "is_store", "it is a store of libre, not a dump",
        "libre history --store FILE shows what is in it, libre store merge FILE takes it over")
    case .isZip:
      Explanation(
        "is_zip", "it is a ZIP archive, which may hold many files", "unpack it with unzip, and give the file in it")

    case .notHex(let line, let column, let character):
      Explanation(
        "not_hex", "line \(line), column \(column): \(character) is not a hex digit",
        "mend or comment out that line with #; libre formats lists what can be read")
    case .oddHexDigits(let line):
      Explanation(
        "odd_hex_digits", "line \(line) has a hex digit without its partner", "write each byte with two digits")
    case .badHeader(let line, let key, let value):
      Explanation(
        "bad_header", "line \(line): \(key): \(value) cannot be read",
        key == "uid" ? "remove that line and give the UID, E0 first, with --uid" : "mend or remove that line")
    case .contradiction(let line, let key):
      Explanation(
        "contradiction", "line \(line) gives another \(key) than a line before it",
        "remove the wrong one of the two lines, or split the file")
    case .badLine(let line, let expected):
      Explanation("bad_line", "line \(line) is not \(expected)", "mend or remove that line, or make the dump again")
    case .badField(let name, let value?):
      Explanation("bad_field", "\(name) is \(value), which cannot be read", "mend it, or make the dump again")
    case .badField(let name, nil):
      Explanation("bad_field", "\(name) is missing, or not of its kind", "mend it, or make the dump again")
    case .badJSON(let reason): Explanation("bad_json", "it is no JSON: \(reason)", "copy the whole file again")

    case .truncated(let found, let needed):
      Explanation(
        "truncated", "the dump ends after \(found) bytes of \(needed)",
        "make the dump again; --salvage decodes what is there, if the age of the sensor is")
    case .wrongLength(let found):
      Explanation(
        "wrong_length",
        "\(found) bytes are no memory: it has 344, some readers store a few blocks of 8 more, and 1952 are all there are; a Libre Pro has up to 8800",
        "cut the file to its first 344 bytes if the rest is not of the sensor")
    case .conflictingBlocks(let block, let lines):
      Explanation(
        "conflicting_blocks",
        "block \(block) has one content in line \(lines.map(String.init).joined(separator: " and another in line "))",
        "two reads are mixed up: split the file, or remove one of the lines")
    case .blockOutOfRange(let block, let line):
      Explanation(
        "block_out_of_range", "line \(line) has block \(block), and a sensor has no more than 0 to 243",
        "mend or remove that line")
    case .overwrittenByProxmark:
      Explanation("overwritten_by_proxmark", ProxmarkDefectText.message, ProxmarkDefectText.resolution)

    case .ambiguousUID:
      Explanation(
        "bad_uid", "the UID in it has E0 at both ends, so its order is not clear",
        "give it as it is printed, E0 first, with --uid")

    case .noMemory: Explanation("no_memory", "there is no sensor memory in it", "choose the dump of a sensor")
    case .severalDumps(let count, let listed):
      Explanation(
        "several_dumps",
        "it holds \(count.map(String.init) ?? "more than a hundred") memories: "
          + listed.map(\.text).joined(separator: "; ") + (count == listed.count ? "" : "; …"),
        "choose one with --dump \(listed.first?.number ?? 1), or decode all of them with --all")
    case .noSuchDump(let number, let count):
      Explanation(
        "no_such_dump", "it has no memory number \(number), but \(count)",
        "choose a number from 1 to \(count) with --dump")
    case .database(let words):
      Explanation(
        "database", "the database cannot be read: \(words)", "sqlite3 FILE 'PRAGMA integrity_check' tells more")
    case .databaseNotInFile:
      Explanation(
        "database_not_in_file", "it is an SQLite database, which can only be read from a file of its own",
        "unpack it if it is packed, and give the file's name")
    case .cannotWrite(let format, .noUID):
      Explanation("cannot_write", "a \(format) file must have a UID", "give it with --uid")
    case .cannotWrite(let format, .missingBlocks(let blocks)):
      Explanation(
        "cannot_write",
        "the dump lacks \(BlockText.list(blocks)), and a \(format) file cannot say so: zeros would pass for the sensor's",
        "choose hex, diable or json")
    case .cannotWrite(let format, .cutBlock(let count)):
      Explanation(
        "cannot_write", "the dump has \(count) bytes, which ends inside a block, and a \(format) file has whole blocks",
        "choose hex, json or bin")
    case .cannotWrite(let format, .tooManyBlocks(let count, let limit)):
      Explanation(
        "cannot_write", "the dump has \(count) blocks, and a \(format) file of a sensor has \(limit) at most",
        "choose hex, json or bin")
    case .cannotWrite(let format, .severalMemories):
      Explanation(
        "cannot_write",
        "a later part of the dump is a memory by itself, so that a \(format) file would be read as several",
        "choose json")
    case .cannotWrite(let format, .otherContent):
      Explanation(
        "cannot_write",
        "the dump's bytes are those of a text, a database or a packed file, which a \(format) file is not",
        "choose hex or json")
    }
  }
}

extension DumpError.Found {
  /// `2 (line 47, Sensor decrypted FRAM, 3 of 3 checksums good)`.
  fileprivate var text: String {
    let about = [line.map { "line \($0)" }, label, "\(goodChecksums) of 3 checksums good"].compactMap(\.self)
    return "\(number) (\(about.joined(separator: ", ")))"
  }
}
