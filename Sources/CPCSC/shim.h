// SPDX-License-Identifier: Apache-2.0
//
// What libre asks of libpcsclite, declared in our own words and under our own names: neither the library nor its headers
// need be there when libre is built or started, for the library is loaded when a reader is first asked for.
//
// The types are those of pcsc-lite on Linux: a status and a handle are a long, a count is an unsigned long. A test in
// Tests/IntegrationTests compiles this file together with the real headers and compares every name.

#ifndef LIBRE_CPCSC_H
#define LIBRE_CPCSC_H

#include <dlfcn.h>
#include <stddef.h>

#define LIBRE_PCSC_LIBRARY "libpcsclite.so.1"

// Statuses.
#define LIBRE_PCSC_SUCCESS 0L
#define LIBRE_PCSC_CANCELLED 0x80100002L
#define LIBRE_PCSC_INSUFFICIENT_BUFFER 0x80100008L
#define LIBRE_PCSC_UNKNOWN_READER 0x80100009L
#define LIBRE_PCSC_TIMEOUT 0x8010000AL
#define LIBRE_PCSC_SHARING_VIOLATION 0x8010000BL
#define LIBRE_PCSC_NO_CARD 0x8010000CL
#define LIBRE_PCSC_PROTOCOL_MISMATCH 0x8010000FL
#define LIBRE_PCSC_COMMUNICATION_FAILED 0x80100013L
#define LIBRE_PCSC_NOT_TRANSACTED 0x80100016L
#define LIBRE_PCSC_READER_UNAVAILABLE 0x80100017L
#define LIBRE_PCSC_NO_SERVICE 0x8010001DL
#define LIBRE_PCSC_SERVICE_STOPPED 0x8010001EL
#define LIBRE_PCSC_NO_READERS 0x8010002EL
#define LIBRE_PCSC_UNRESPONSIVE_CARD 0x80100066L
#define LIBRE_PCSC_UNPOWERED_CARD 0x80100067L
#define LIBRE_PCSC_RESET_CARD 0x80100068L
#define LIBRE_PCSC_REMOVED_CARD 0x80100069L
#define LIBRE_PCSC_SECURITY_VIOLATION 0x8010006AL

// How to ask for a card, and what to do with it afterwards.
#define LIBRE_PCSC_SCOPE_SYSTEM 2UL
#define LIBRE_PCSC_EXCLUSIVE 1UL
#define LIBRE_PCSC_DIRECT 3UL
#define LIBRE_PCSC_PROTOCOL_T0 1UL
#define LIBRE_PCSC_PROTOCOL_T1 2UL
#define LIBRE_PCSC_PROTOCOL_RAW 4UL
#define LIBRE_PCSC_LEAVE 0UL
#define LIBRE_PCSC_UNPOWER 2UL

// The state of a reader; above these 16 bits it holds a counter of events.
#define LIBRE_PCSC_STATE_CHANGED 0x0002UL
#define LIBRE_PCSC_STATE_EMPTY 0x0010UL
#define LIBRE_PCSC_STATE_PRESENT 0x0020UL
#define LIBRE_PCSC_STATE_EXCLUSIVE 0x0080UL
#define LIBRE_PCSC_STATE_MUTE 0x0200UL

#define LIBRE_PCSC_LONGEST_ATR 33
// What pcsc-lite holds ready for a short APDU: 256 bytes, the status word, and a little more.
#define LIBRE_PCSC_LONGEST_ANSWER 264

struct libre_pcsc_reader_state {
  const char *name;
  void *user_data;
  unsigned long known;
  unsigned long now;
  unsigned long atr_length;
  unsigned char atr[LIBRE_PCSC_LONGEST_ATR];
};

struct libre_pcsc_protocol {
  unsigned long number;
  unsigned long length;
};

// The functions, by the library's names.
struct libre_pcsc {
  long (*SCardEstablishContext)(unsigned long scope, const void *reserved1, const void *reserved2, long *context);
  long (*SCardReleaseContext)(long context);
  long (*SCardListReaders)(long context, const char *groups, char *names, unsigned long *length);
  long (*SCardGetStatusChange)(
    long context, unsigned long milliseconds, struct libre_pcsc_reader_state *states, unsigned long count);
  long (*SCardCancel)(long context);
  long (*SCardConnect)(
    long context, const char *reader, unsigned long sharing, unsigned long protocols, long *card,
    unsigned long *protocol);
  long (*SCardDisconnect)(long card, unsigned long disposition);
  long (*SCardBeginTransaction)(long card);
  long (*SCardEndTransaction)(long card, unsigned long disposition);
  long (*SCardTransmit)(
    long card, const struct libre_pcsc_protocol *sending, const unsigned char *command, unsigned long command_length,
    struct libre_pcsc_protocol *receiving, unsigned char *answer, unsigned long *answer_length);
  const char *(*pcsc_stringify_error)(long status);
};

// Fills the table. NULL when every function is there, else the name of the first thing that is missing: the library
// itself, or a function in it. It stays loaded until the process ends.
static inline const char *libre_pcsc_load(struct libre_pcsc *table) {
  void *library = dlopen(LIBRE_PCSC_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return LIBRE_PCSC_LIBRARY;
  // A union, because C has no conversion between pointers to objects and to functions.
#define LIBRE_PCSC_FIND(NAME) \
  do { \
    union { void *object; __typeof__(table->NAME) function; } found = {dlsym(library, #NAME)}; \
    if (found.object == NULL) return #NAME; \
    table->NAME = found.function; \
  } while (0)
  LIBRE_PCSC_FIND(SCardEstablishContext);
  LIBRE_PCSC_FIND(SCardReleaseContext);
  LIBRE_PCSC_FIND(SCardListReaders);
  LIBRE_PCSC_FIND(SCardGetStatusChange);
  LIBRE_PCSC_FIND(SCardCancel);
  LIBRE_PCSC_FIND(SCardConnect);
  LIBRE_PCSC_FIND(SCardDisconnect);
  LIBRE_PCSC_FIND(SCardBeginTransaction);
  LIBRE_PCSC_FIND(SCardEndTransaction);
  LIBRE_PCSC_FIND(SCardTransmit);
  LIBRE_PCSC_FIND(pcsc_stringify_error);
#undef LIBRE_PCSC_FIND
  return NULL;
}

#endif
