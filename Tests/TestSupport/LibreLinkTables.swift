// SPDX-License-Identifier: Apache-2.0

/// The tables of LibreLink's database that libre reads, as SQL: the columns of version 8 that are NOT NULL there, and one
/// sensor. (read: LBridgeApp/LBridge, `LibreLinkDatabase.java`.)
public enum LibreLinkTables {
  public static let sql = """
    CREATE TABLE sensors (sensorId INTEGER PRIMARY KEY AUTOINCREMENT, serialNumber VARCHAR NOT NULL,
      uniqueIdentifier BLOB NOT NULL);
    CREATE TABLE rawScans (patchInfo BLOB NOT NULL, payload BLOB NOT NULL, scanId INTEGER PRIMARY KEY AUTOINCREMENT,
      sensorId INTEGER NOT NULL, timestampUTC BIGINT NOT NULL);
    CREATE TABLE historicReadings (glucoseValue `DOUBLE PRECISION` NOT NULL, readingId INTEGER PRIMARY KEY AUTOINCREMENT,
      sampleNumber INTEGER NOT NULL, sensorId INTEGER NOT NULL, timestampUTC BIGINT NOT NULL);
    CREATE TABLE historicErrors (dataQuality INTEGER NOT NULL, errorId INTEGER PRIMARY KEY AUTOINCREMENT,
      sampleNumber INTEGER NOT NULL, sensorId INTEGER NOT NULL, timestampUTC BIGINT NOT NULL);
    CREATE TABLE realTimeReadings (glucoseValue `DOUBLE PRECISION` NOT NULL, readingId INTEGER PRIMARY KEY AUTOINCREMENT,
      sensorId INTEGER NOT NULL, timestampUTC BIGINT NOT NULL);
    INSERT INTO sensors VALUES (1, '0M00028U5DW', x'6745230100A007E0');
    """
}
