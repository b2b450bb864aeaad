// SPDX-License-Identifier: Apache-2.0
//
// What libre asks of sd-bus, declared in our own words and under our own names: neither the library nor its headers need
// be there when libre is built or started, for the library is loaded when Bluetooth is first asked for. sd-bus is part of
// libsystemd; libelogind and libbasu have the same functions on systems without systemd.
//
// No function here takes a callback or a variable number of arguments. A test in Tests/IntegrationTests compiles this
// file together with the real headers and compares every name.

#ifndef LIBRE_CSYSTEMBUS_H
#define LIBRE_CSYSTEMBUS_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

// The library's names, the usual one first.
#define LIBRE_BUS_LIBRARY "libsystemd.so.0"
#define LIBRE_BUS_LIBRARY_ELOGIND "libelogind.so.0"
#define LIBRE_BUS_LIBRARY_BASU "libbasu.so.0"

// Kinds of messages.
#define LIBRE_BUS_METHOD_CALL 1
#define LIBRE_BUS_METHOD_RETURN 2
#define LIBRE_BUS_METHOD_ERROR 3
#define LIBRE_BUS_SIGNAL 4

struct sd_bus;
struct sd_bus_message;

struct libre_bus_error {
  const char *name;
  const char *message;
  int needs_free;
};

// The functions, by the library's names without `sd_bus_`.
struct libre_bus {
  int (*new)(struct sd_bus **bus);
  int (*set_address)(struct sd_bus *bus, const char *address);
  int (*set_bus_client)(struct sd_bus *bus, int is_client);
  int (*start)(struct sd_bus *bus);
  struct sd_bus *(*flush_close_unref)(struct sd_bus *bus);
  int (*get_fd)(struct sd_bus *bus);
  int (*get_events)(struct sd_bus *bus);
  int (*process)(struct sd_bus *bus, struct sd_bus_message **message);
  int (*send)(struct sd_bus *bus, struct sd_bus_message *message, uint64_t *cookie);
  int (*message_new_method_call)(
      struct sd_bus *bus, struct sd_bus_message **message, const char *destination, const char *path,
      const char *interface, const char *member);
  int (*message_new_method_return)(struct sd_bus_message *call, struct sd_bus_message **message);
  int (*message_new_method_error)(
      struct sd_bus_message *call, struct sd_bus_message **message, const struct libre_bus_error *error);
  struct sd_bus_message *(*message_unref)(struct sd_bus_message *message);
  int (*message_append_basic)(struct sd_bus_message *message, char type, const void *value);
  int (*message_append_array)(struct sd_bus_message *message, char type, const void *items, size_t size);
  int (*message_open_container)(struct sd_bus_message *message, char type, const char *contents);
  int (*message_close_container)(struct sd_bus_message *message);
  int (*message_peek_type)(struct sd_bus_message *message, char *type, const char **contents);
  int (*message_enter_container)(struct sd_bus_message *message, char type, const char *contents);
  int (*message_exit_container)(struct sd_bus_message *message);
  int (*message_read_basic)(struct sd_bus_message *message, char type, void *value);
  int (*message_read_array)(struct sd_bus_message *message, char type, const void **items, size_t *size);
  int (*message_skip)(struct sd_bus_message *message, const char *types);
  int (*message_get_type)(struct sd_bus_message *message, uint8_t *type);
  int (*message_get_reply_cookie)(struct sd_bus_message *message, uint64_t *cookie);
  const char *(*message_get_sender)(struct sd_bus_message *message);
  const char *(*message_get_path)(struct sd_bus_message *message);
  const char *(*message_get_interface)(struct sd_bus_message *message);
  const char *(*message_get_member)(struct sd_bus_message *message);
  const struct libre_bus_error *(*message_get_error)(struct sd_bus_message *message);
};

// Fills the table. NULL when every function is there, else the name of the first thing that is missing: the library
// itself, or a function in it. It stays loaded until the process ends.
static inline const char *libre_bus_load(struct libre_bus *table) {
  void *library = dlopen(LIBRE_BUS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen(LIBRE_BUS_LIBRARY_ELOGIND, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen(LIBRE_BUS_LIBRARY_BASU, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return LIBRE_BUS_LIBRARY;
  // A union, because C has no conversion between pointers to objects and to functions.
#define LIBRE_BUS_FIND(NAME) \
  do { \
    union { void *object; __typeof__(table->NAME) function; } found = {dlsym(library, "sd_bus_" #NAME)}; \
    if (found.object == NULL) return "sd_bus_" #NAME; \
    table->NAME = found.function; \
  } while (0)
  LIBRE_BUS_FIND(new);
  LIBRE_BUS_FIND(set_address);
  LIBRE_BUS_FIND(set_bus_client);
  LIBRE_BUS_FIND(start);
  LIBRE_BUS_FIND(flush_close_unref);
  LIBRE_BUS_FIND(get_fd);
  LIBRE_BUS_FIND(get_events);
  LIBRE_BUS_FIND(process);
  LIBRE_BUS_FIND(send);
  LIBRE_BUS_FIND(message_new_method_call);
  LIBRE_BUS_FIND(message_new_method_return);
  LIBRE_BUS_FIND(message_new_method_error);
  LIBRE_BUS_FIND(message_unref);
  LIBRE_BUS_FIND(message_append_basic);
  LIBRE_BUS_FIND(message_append_array);
  LIBRE_BUS_FIND(message_open_container);
  LIBRE_BUS_FIND(message_close_container);
  LIBRE_BUS_FIND(message_peek_type);
  LIBRE_BUS_FIND(message_enter_container);
  LIBRE_BUS_FIND(message_exit_container);
  LIBRE_BUS_FIND(message_read_basic);
  LIBRE_BUS_FIND(message_read_array);
  LIBRE_BUS_FIND(message_skip);
  LIBRE_BUS_FIND(message_get_type);
  LIBRE_BUS_FIND(message_get_reply_cookie);
  LIBRE_BUS_FIND(message_get_sender);
  LIBRE_BUS_FIND(message_get_path);
  LIBRE_BUS_FIND(message_get_interface);
  LIBRE_BUS_FIND(message_get_member);
  LIBRE_BUS_FIND(message_get_error);
#undef LIBRE_BUS_FIND
  return NULL;
}

#endif
