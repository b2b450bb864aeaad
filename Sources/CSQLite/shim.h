// SPDX-License-Identifier: Apache-2.0
//
// SQLite, settings of it that Swift cannot make, because their call takes any number of arguments, and error numbers.

#ifndef LIBRE_CSQLITE_H
#define LIBRE_CSQLITE_H

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>

// For a database from anywhere, which is read and never written: its schema may call no function that matters, its
// triggers and views do nothing, and the log beside it is left as it is when the connection is closed.
static inline int libre_sqlite_distrust(sqlite3 *database) {
  const struct {
    int option;
    int value;
  } settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},    {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
  };
  for (size_t index = 0; index < sizeof settings / sizeof settings[0]; index++) {
    int status = sqlite3_db_config(database, settings[index].option, settings[index].value, NULL);
    if (status != SQLITE_OK) return status;
  }
  return SQLITE_OK;
}

// Restricts a database of our own, which others may have changed. Its triggers stay on, because we need them.
static inline int libre_sqlite_distrust_schema(sqlite3 *database) {
  int status = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  return status == SQLITE_OK ? sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) : status;
}

// Whether the last connection to a database leaves the log beside it, instead of moving it into the database and removing
// it whatever the disk says.
static inline int libre_sqlite_keep_log(sqlite3 *database, int is_kept) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_kept, NULL);
}

// Whether the last call failed with an I/O error for want of space: on the disk, in the user's quota, or up to the limit
// on the size of files. SQLite itself tells only some cases of the first as SQLITE_FULL.
static inline int libre_sqlite_lacks_space(sqlite3 *database) {
  int number = sqlite3_system_errno(database);
  // SQLite does not note it when it is COMMIT that fails.
  if (number == 0) number = errno;
  int code = sqlite3_errcode(database) & 0xFF;
  return code == SQLITE_IOERR && (number == ENOSPC || number == EDQUOT || number == EFBIG);
}

#endif
