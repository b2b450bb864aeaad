// SPDX-License-Identifier: Apache-2.0
//
// What libre asks of libmosquitto, declared in our own words and under our own names: neither the library nor its
// headers need be there when libre is built or started, for the library is loaded when something is first sent by MQTT.
//
// A test in Tests/SampleSinksTests/Couriers compiles this file together with the real headers and compares every name.

#ifndef LIBRE_CMOSQUITTO_H
#define LIBRE_CMOSQUITTO_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define LIBRE_MOSQ_LIBRARY "libmosquitto.so.1"

// What a call returns.
#define LIBRE_MOSQ_SUCCESS 0
#define LIBRE_MOSQ_INVAL 3
#define LIBRE_MOSQ_NO_CONN 4
#define LIBRE_MOSQ_PAYLOAD_SIZE 9
#define LIBRE_MOSQ_MALFORMED_UTF8 18
#define LIBRE_MOSQ_OVERSIZE_PACKET 25

// Options.
#define LIBRE_MOSQ_OPT_PROTOCOL_VERSION 1u
#define LIBRE_MOSQ_OPT_TLS_USE_OS_CERTS 13u
#define LIBRE_MOSQ_PROTOCOL_V311 4
#define LIBRE_MOSQ_PROTOCOL_V5 5
// SSL_VERIFY_PEER of OpenSSL.
#define LIBRE_MOSQ_VERIFY_PEER 1

struct mosquitto;
struct mqtt5__property;

typedef void (*libre_mosq_on_connect)(
    struct mosquitto *client, void *user_data, int reason, int flags, const struct mqtt5__property *properties);
typedef void (*libre_mosq_on_publish)(
    struct mosquitto *client, void *user_data, int id, int reason, const struct mqtt5__property *properties);
typedef void (*libre_mosq_on_log)(struct mosquitto *client, void *user_data, int level, const char *line);

// The functions, by the library's names without `mosquitto_`.
struct libre_mosq {
  int (*lib_init)(void);
  struct mosquitto *(*new)(const char *id, bool is_clean, void *user_data);
  void (*destroy)(struct mosquitto *client);
  int (*int_option)(struct mosquitto *client, unsigned int option, int value);
  int (*username_pw_set)(struct mosquitto *client, const char *user, const char *password);
  int (*will_set)(
      struct mosquitto *client, const char *topic, int length, const void *payload, int qos, bool is_retained);
  int (*tls_set)(
      struct mosquitto *client, const char *ca_file, const char *ca_folder, const char *certificate, const char *key,
      int (*password)(char *buffer, int size, int is_writing, void *user_data));
  int (*tls_opts_set)(struct mosquitto *client, int verification, const char *version, const char *ciphers);
  int (*connect_async)(struct mosquitto *client, const char *host, int port, int keepalive);
  int (*disconnect)(struct mosquitto *client);
  int (*loop)(struct mosquitto *client, int milliseconds, int most_packets);
  int (*publish)(
      struct mosquitto *client, int *id, const char *topic, int length, const void *payload, int qos, bool is_retained);
  void (*connect_v5_callback_set)(struct mosquitto *client, libre_mosq_on_connect callback);
  void (*publish_v5_callback_set)(struct mosquitto *client, libre_mosq_on_publish callback);
  void (*log_callback_set)(struct mosquitto *client, libre_mosq_on_log callback);
  const char *(*strerror)(int result);
};

// Fills the table. NULL when every function is there, else the name of the first thing that is missing: the library
// itself, or a function in it. It stays loaded until the process ends.
static inline const char *libre_mosq_load(struct libre_mosq *table) {
  void *library = dlopen(LIBRE_MOSQ_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return LIBRE_MOSQ_LIBRARY;
  // A union, because C has no conversion between pointers to objects and to functions.
#define LIBRE_MOSQ_FIND(NAME) \
  do { \
    union { void *object; __typeof__(table->NAME) function; } found = {dlsym(library, "mosquitto_" #NAME)}; \
    if (found.object == NULL) return "mosquitto_" #NAME; \
    table->NAME = found.function; \
  } while (0)
  LIBRE_MOSQ_FIND(lib_init);
  LIBRE_MOSQ_FIND(new);
  LIBRE_MOSQ_FIND(destroy);
  LIBRE_MOSQ_FIND(int_option);
  LIBRE_MOSQ_FIND(username_pw_set);
  LIBRE_MOSQ_FIND(will_set);
  LIBRE_MOSQ_FIND(tls_set);
  LIBRE_MOSQ_FIND(tls_opts_set);
  LIBRE_MOSQ_FIND(connect_async);
  LIBRE_MOSQ_FIND(disconnect);
  LIBRE_MOSQ_FIND(loop);
  LIBRE_MOSQ_FIND(publish);
  LIBRE_MOSQ_FIND(connect_v5_callback_set);
  LIBRE_MOSQ_FIND(publish_v5_callback_set);
  LIBRE_MOSQ_FIND(log_callback_set);
  LIBRE_MOSQ_FIND(strerror);
#undef LIBRE_MOSQ_FIND
  return NULL;
}

#endif
