// SPDX-License-Identifier: Apache-2.0
package import DumpFormats
package import HistoryFormats
package import HostSystem
package import Libre1Core
import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension MemoryError: RemediedError {
  package var exitStatus: Int32 { 65 }

  package var resolution: String {
    switch self {
    case .wrongLength: "read all 43 blocks of the sensor"
    case .crcMismatch: "read the sensor again; --salvage shows the samples all the same, libre inspect shows the bytes"
    case .blockMissing: "read the sensor again; --salvage shows the samples of the other blocks"
    case .undatable: "read the sensor again; this dump cannot be salvaged"
    case .ringIndexOutOfRange: "read the sensor again; if the error stays, please report the dump"
    case .blank: "read the sensor again, and do not move the reader"
    case .encryptedOrUnknown:
      "for a Libre 2 or US 14 day: libre decode FILE --uid UID --patch-info HEX, both from the same scan"
    case .encryptedWithoutUID:
      "add the UID, which is part of the key: libre decode FILE --uid UID; a recording has it only if made with --show-identifiers"
    case .encryptedWithoutPatchInfo:
      "add the patch info of the same scan, which is part of the key: libre decode FILE --patch-info HEX"
    case .unsupportedFamily(.libre3), .unsupportedFamily(.lingo):
      "read it with its maker's app; libre import takes the tables of LibreView and other programs"
    case .unsupportedFamily: "keep the dump, which may become readable later; libre inspect shows its bytes"
    case .cannotDecrypt:
      "check that --uid and --patch-info are of this sensor, and the patch info of the same scan; if they are, read the sensor again, because the memory is damaged"
    case .keyDisagrees:
      "leave out --uid and --patch-info; if the file itself contains them, remove them: libre convert FILE --to raw"
    }
  }
}

extension UIDError: RemediedError {
  package var exitStatus: Int32 { 64 }

  package var resolution: String { "write the 16 hex digits as printed, E0 first: --uid E007A0…" }
}

extension InputError: RemediedError {
  package var exitStatus: Int32 {
    switch self {
    case .notFound, .isFolder, .unreadable: 66
    case .permissionDenied: 77
    case .tooLarge: 65
    }
  }

  package var resolution: String {
    switch self {
    case .notFound: "check the path"
    case .isFolder: "name a file in it, or use --recursive with decode or import"
    case .permissionDenied: "run ls -l on it, and chmod u+r if it is yours"
    case .unreadable: "check the disk or the connection"
    case .tooLarge: "choose the dump of one sensor"
    }
  }
}

extension OutputError: RemediedError {
  package var exitStatus: Int32 { 73 }

  package var resolution: String {
    switch self {
    case .refused(let path, let number): Self.resolution(path, number)
    case .isStore, .isInput: "choose another file name"
    case .wouldLose: "choose another file name, or replace it with --force"
    }
  }

  private static func resolution(_ path: String, _ number: Int32) -> String {
    let directory = FileSystem.directory(of: path)
    return switch number {
    case ENOSPC where path == standardOutput, EDQUOT where path == standardOutput:
      "free some space where standard output goes, or send it to another place"
    case ENOSPC, EDQUOT, EFBIG: "free some space on the disk of \(directory), or choose another place"
    case EACCES, EPERM, EROFS: "choose a directory that you may write to; ls -ld \(directory) shows who may"
    case ENOENT, ENOTDIR: "make the directory first: mkdir -p \(directory)"
    case EISDIR: "name a file in it: \(path)/NAME"
    case ENAMETOOLONG: "choose a shorter file name"
    case EPIPE: "keep the program that reads the output running to its end"
    case EBADF where path == standardOutput: "run it with standard output open"
    default: "choose another place, or free some space"
    }
  }
}

extension DumpError: RemediedError {
  package var exitStatus: Int32 {
    if case .noSuchFormat = self { 64 } else { 65 }
  }

  package var resolution: String {
    switch self {
    case .empty: "make the dump again"
    case .unknownFormat(let refusals) where refusals.isEmpty:
      "libre formats lists the known formats; libre import reads histories; --input-format NAME shows why NAME does not fit"
    case .unknownFormat: "libre formats lists the known formats; --input-format NAME selects one"
    case .ambiguousFormat(let names): "choose with --input-format \(names.joined(separator: " or "))"
    case .noSuchFormat(_, let known): "choose one of \(known.joined(separator: ", "))"
    case .notThisFormat: "leave out --input-format, or name another format"
    case .isText, .isBinary: "leave out --input-format"
    case .tooLarge(_, _, let areLines): areLines ? Self.lineByLine : "choose the dump of one sensor"
    case .badGzip: "copy the file again; gzip --test FILE shows details"
    case .isPacked(_, let program): "unpack it first: \(program)"
    case .isTable: "save it as CSV in UTF-8; libre import reads that"
    case .otherEncoding(_, let command): "convert it first: \(command)"
    case .isStore: "libre history --store FILE shows its samples, libre store merge FILE adds them to yours"
    case .isZip: "unpack it with unzip, and name the file in it"
    case .notHex: "fix that line, or comment it out with #; libre formats lists the known formats"
    case .oddHexDigits: "write each byte with two digits"
    case .badHeader(_, "uid", _): "delete that line and give the UID, E0 first, with --uid"
    case .badHeader, .blockOutOfRange: "fix or delete that line"
    case .contradiction: "delete the wrong line, or split the file"
    case .badLine: "fix or delete that line, or make the dump again"
    case .badField: "fix it, or make the dump again"
    case .badJSON: "copy the whole file again"
    case .truncated: "make the dump again; --salvage decodes the rest, if the age of the sensor is in it"
    case .ownFormat: "correct the file, or leave it out"
    case .wrongLength: "if the rest is not from the sensor, cut the file to its first 344 bytes"
    case .conflictingBlocks: "if the file has two reads, split it; otherwise delete one of the lines"
    case .overwrittenByProxmark: ReadingProblem.overwrittenByProxmark.resolution
    case .ambiguousUID: "give the UID as printed, E0 first, with --uid"
    case .takenForLocks:
      "read the sensor with libre read, or with an app that knows it, such as DiaBLE or xDrip+: libre formats lists what libre reads"
    case .noMemory: "choose the dump of a sensor"
    case .noMemoryInFiles: "search another directory; libre import FILE takes the history that an app exports"
    case .recordsOnly: "libre decode FILE shows the records; only a new scan, with libre read, gives a memory"
    case .severalDumps(_, let listed, let areLines):
      "choose one with --dump \(listed.first?.number ?? 1); "
        + (areLines ? Self.lineByLine : "libre decode decodes all with --all")
    case .noSuchDump(_, let count): "choose a number from 1 to \(count) with --dump"
    case .database: "sqlite3 FILE 'PRAGMA integrity_check' shows details"
    case .databaseNotInFile: "unpack it if needed, and name the database file"
    case .recordsNotRecognised:
      "libre import FILE takes the values that the app computed; please report the version of the app"
    case .cannotWrite(_, .noUID): "give it with --uid"
    case .cannotWrite(_, .missingBlocks): "choose hex, diable or json"
    case .cannotWrite(_, .cutBlock), .cannotWrite(_, .tooManyBlocks): "choose hex, json or bin"
    case .cannotWrite(_, .severalMemories): "choose json"
    case .cannotWrite(_, .otherContent): "choose hex or json"
    }
  }

  private static let lineByLine = "libre decode and libre convert take each line by itself with --lines"
}

extension HistoryError: RemediedError {
  package var exitStatus: Int32 {
    if case .noSuchFormat = self { 64 } else { 65 }
  }

  package var resolution: String {
    switch self {
    case .notThisFormat:
      "choose the right --input-format (libre formats lists them), or leave it out to have it detected"
    case .unknownFormat:
      "for a table with other column names: --time-column NAME --glucose-column NAME; libre formats lists the formats"
    case .foreign(let history): history.resolution
    case .ambiguousFormat: "choose one with --input-format"
    case .noSuchFormat(_, let known): "choose one of \(known.joined(separator: ", "))"
    case .badLine: "fix or delete that line, or import the others with --keep-going"
    case .badField, .otherUnit: "fix it or delete that record, or import the others with --keep-going"
    case .refused: "fix them, or import the others with --keep-going"
    case .ambiguousDates: "add --date-order dmy or --date-order mdy"
    case .unknownUnit: "add --unit mg/dL or --unit mmol/L"
    case .wrongUnit(let unit, _):
      "add --unit \(unit == .millimolesPerLitre ? GlucoseUnit.milligramsPerDecilitre.rawValue : GlucoseUnit.millimolesPerLitre.rawValue)"
    case .columnsMissing(let names, _):
      names.isEmpty
        ? "name them: --time-column NAME --glucose-column NAME, with --unit if that name has no unit"
        : "choose from these"
    case .columnMissing: "export the file again, with all columns"
    case .severalSubjects(let subjects):
      "choose one with --subject \(subjects.example); or libre import --subjects-as-persons, or libre stats --by subject"
    case .noSuchSubject(_, let subjects): "choose one of them, such as --subject \(subjects.example)"
    case .noSubjects: "leave out the option about subjects; libre stats --by file takes each file as one person"
    case .importedBefore(let number, _, _, _):
      "libre imports remove \(number) --dry-run, then --yes, and import the file again"
    case .tooLarge: "check the file"
    case .truncated: "export or copy it again"
    case .ownFormat: "correct the file, or leave it out"
    case .unreadable: "check the disk or the connection"
    }
  }
}

extension FileSubjects {
  /// A name to choose, as a word of a shell.
  fileprivate var example: String {
    shellWord(SafeText.excerpt(names.first { !$0.isEmpty } ?? ""), besides: "._-")
  }
}
