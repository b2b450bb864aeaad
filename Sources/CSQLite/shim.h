// SPDX-License-Identifier: Apache-2.0
//
// SQLite, and settings of it that Swift cannot make, because their call takes any number of arguments.

#ifndef LIBRE_CSQLITE_H
#define LIBRE_CSQLITE_H

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

#endif
