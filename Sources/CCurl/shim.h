// SPDX-License-Identifier: Apache-2.0
//
// What libre asks of libcurl, declared in our own words and under our own names: neither the library nor its headers
// need be there when libre is built or started, for the library is loaded when something is first sent by
// HTTP or MQTT.
//
// A test in Tests/IntegrationTests/Couriers compiles this file together with the real headers and compares every name.

#ifndef LIBRE_CCURL_H
#define LIBRE_CCURL_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define LIBRE_CURL_LIBRARY "libcurl.so.4"

// Results of a transfer.
#define LIBRE_CURL_OK 0u
#define LIBRE_CURL_UNSUPPORTED_PROTOCOL 1u
#define LIBRE_CURL_URL_MALFORMAT 3u
#define LIBRE_CURL_WRITE_ERROR 23u
#define LIBRE_CURL_OPERATION_TIMEDOUT 28u
#define LIBRE_CURL_SSL_CONNECT_ERROR 35u
#define LIBRE_CURL_SSL_CERTPROBLEM 58u
#define LIBRE_CURL_PEER_FAILED_VERIFICATION 60u
#define LIBRE_CURL_SSL_CACERT_BADFILE 77u
// Nothing can be sent or received now.
#define LIBRE_CURL_AGAIN 81u

// Options of a transfer.
#define LIBRE_CURL_OPT_WRITEDATA 10001u
#define LIBRE_CURL_OPT_URL 10002u
#define LIBRE_CURL_OPT_WRITEFUNCTION 20011u
#define LIBRE_CURL_OPT_USERAGENT 10018u
#define LIBRE_CURL_OPT_LOW_SPEED_LIMIT 19u
#define LIBRE_CURL_OPT_LOW_SPEED_TIME 20u
#define LIBRE_CURL_OPT_HTTPHEADER 10023u
#define LIBRE_CURL_OPT_HEADERDATA 10029u
#define LIBRE_CURL_OPT_SSLVERSION 32u
#define LIBRE_CURL_OPT_CUSTOMREQUEST 10036u
#define LIBRE_CURL_OPT_POST 47u
#define LIBRE_CURL_OPT_FOLLOWLOCATION 52u
#define LIBRE_CURL_OPT_SSL_VERIFYPEER 64u
#define LIBRE_CURL_OPT_CAINFO 10065u
#define LIBRE_CURL_OPT_HEADERFUNCTION 20079u
#define LIBRE_CURL_OPT_SSL_VERIFYHOST 81u
#define LIBRE_CURL_OPT_NOSIGNAL 99u
#define LIBRE_CURL_OPT_POSTFIELDSIZE_LARGE 30120u
#define LIBRE_CURL_OPT_CONNECT_ONLY 141u
#define LIBRE_CURL_OPT_TIMEOUT_MS 155u
#define LIBRE_CURL_OPT_CONNECTTIMEOUT_MS 156u
#define LIBRE_CURL_OPT_COPYPOSTFIELDS 10165u
// Superseded by PROTOCOLS_STR in 7.85.0, which Debian 11 and Ubuntu 22.04 do not have.
#define LIBRE_CURL_OPT_PROTOCOLS 181u
#define LIBRE_CURL_OPT_NOPROXY 10177u
#define LIBRE_CURL_OPT_SSL_ENABLE_ALPN 226u
#define LIBRE_CURL_OPT_SUPPRESS_CONNECT_HEADERS 265u
#define LIBRE_CURL_OPT_PROTOCOLS_STR 10318u

#define LIBRE_CURL_SSLVERSION_TLSV1_2 6L
#define LIBRE_CURL_PROTOCOL_HTTP 1L
#define LIBRE_CURL_PROTOCOL_HTTPS 2L
#define LIBRE_CURL_GLOBAL_DEFAULT 3L

// What is known after a transfer.
#define LIBRE_CURL_INFO_RESPONSE_CODE 0x200002u
#define LIBRE_CURL_INFO_SSL_VERIFYRESULT 0x20000Du
#define LIBRE_CURL_INFO_REDIRECT_URL 0x10001Fu
#define LIBRE_CURL_INFO_ACTIVESOCKET 0x50002Cu

// Events to wait for.
#define LIBRE_CURL_WAIT_POLLIN 1
#define LIBRE_CURL_WAIT_POLLOUT 4

// The parts of a URL.
#define LIBRE_CURL_PART_URL 0u
#define LIBRE_CURL_PART_SCHEME 1u
#define LIBRE_CURL_PART_USER 2u
#define LIBRE_CURL_PART_PASSWORD 3u
#define LIBRE_CURL_PART_HOST 5u
#define LIBRE_CURL_PART_PORT 6u
#define LIBRE_CURL_DEFAULT_PORT 1u

// The only kind of message that a multi handle has: a transfer is done.
#define LIBRE_CURL_DONE 1u

struct curl_slist;
struct Curl_URL;
struct curl_waitfd;

struct libre_curl_message {
  unsigned int kind;
  void *easy;
  union {
    void *whatever;
    unsigned int result;
  } data;
};

// A socket, and what is waited for: curl_waitfd there.
struct libre_curl_waitfd {
  int fd;
  short events;
  short revents;
};

typedef size_t (*libre_curl_receiver)(char *bytes, size_t size, size_t count, void *user_data);

// The functions, by the library's names without `curl_`. Easy and multi handles are pointers to void there too.
struct libre_curl {
  unsigned int (*global_init)(long flags);
  void *(*easy_init)(void);
  void (*easy_cleanup)(void *easy);
  void (*easy_reset)(void *easy);
  unsigned int (*easy_setopt)(void *easy, unsigned int option, ...);
  unsigned int (*easy_getinfo)(void *easy, unsigned int info, ...);
  unsigned int (*easy_send)(void *easy, const void *bytes, size_t size, size_t *sent);
  unsigned int (*easy_recv)(void *easy, void *bytes, size_t size, size_t *received);
  const char *(*easy_strerror)(unsigned int result);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *multi);
  int (*multi_add_handle)(void *multi, void *easy);
  int (*multi_remove_handle)(void *multi, void *easy);
  int (*multi_perform)(void *multi, int *running);
  int (*multi_poll)(void *multi, struct curl_waitfd *more, unsigned int count, int milliseconds, int *ready);
  int (*multi_wakeup)(void *multi);
  struct libre_curl_message *(*multi_info_read)(void *multi, int *left);
  struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
  void (*slist_free_all)(struct curl_slist *list);
  struct Curl_URL *(*url)(void);
  void (*url_cleanup)(struct Curl_URL *url);
  unsigned int (*url_set)(struct Curl_URL *url, unsigned int part, const char *text, unsigned int flags);
  unsigned int (*url_get)(struct Curl_URL *url, unsigned int part, char **text, unsigned int flags);
  void (*free)(void *text);
};

// Fills the table. NULL when every function is there, else the name of the first thing that is missing: the library
// itself, or a function in it. It stays loaded until the process ends.
static inline const char *libre_curl_load(struct libre_curl *table) {
  void *library = dlopen(LIBRE_CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return LIBRE_CURL_LIBRARY;
  // A union, because C has no conversion between pointers to objects and to functions.
#define LIBRE_CURL_FIND(NAME) \
  do { \
    union { void *object; __typeof__(table->NAME) function; } found = {dlsym(library, "curl_" #NAME)}; \
    if (found.object == NULL) return "curl_" #NAME; \
    table->NAME = found.function; \
  } while (0)
  LIBRE_CURL_FIND(global_init);
  LIBRE_CURL_FIND(easy_init);
  LIBRE_CURL_FIND(easy_cleanup);
  LIBRE_CURL_FIND(easy_reset);
  LIBRE_CURL_FIND(easy_setopt);
  LIBRE_CURL_FIND(easy_getinfo);
  LIBRE_CURL_FIND(easy_send);
  LIBRE_CURL_FIND(easy_recv);
  LIBRE_CURL_FIND(easy_strerror);
  LIBRE_CURL_FIND(multi_init);
  LIBRE_CURL_FIND(multi_cleanup);
  LIBRE_CURL_FIND(multi_add_handle);
  LIBRE_CURL_FIND(multi_remove_handle);
  LIBRE_CURL_FIND(multi_perform);
  LIBRE_CURL_FIND(multi_poll);
  LIBRE_CURL_FIND(multi_wakeup);
  LIBRE_CURL_FIND(multi_info_read);
  LIBRE_CURL_FIND(slist_append);
  LIBRE_CURL_FIND(slist_free_all);
  LIBRE_CURL_FIND(url);
  LIBRE_CURL_FIND(url_cleanup);
  LIBRE_CURL_FIND(url_set);
  LIBRE_CURL_FIND(url_get);
  LIBRE_CURL_FIND(free);
#undef LIBRE_CURL_FIND
  return NULL;
}

// Swift cannot call a function with variable arguments, so C does, once for each type of argument.

static inline unsigned int libre_curl_set_number(
    const struct libre_curl *curl, void *easy, unsigned int option, long value) {
  return curl->easy_setopt(easy, option, value);
}

static inline unsigned int libre_curl_set_size(
    const struct libre_curl *curl, void *easy, unsigned int option, int64_t value) {
  return curl->easy_setopt(easy, option, value);
}

static inline unsigned int libre_curl_set_text(
    const struct libre_curl *curl, void *easy, unsigned int option, const char *value) {
  return curl->easy_setopt(easy, option, value);
}

static inline unsigned int libre_curl_set_pointer(
    const struct libre_curl *curl, void *easy, unsigned int option, const void *value) {
  return curl->easy_setopt(easy, option, value);
}

static inline unsigned int libre_curl_set_list(
    const struct libre_curl *curl, void *easy, unsigned int option, struct curl_slist *value) {
  return curl->easy_setopt(easy, option, value);
}

static inline unsigned int libre_curl_set_receiver(
    const struct libre_curl *curl, void *easy, unsigned int option, libre_curl_receiver value) {
  return curl->easy_setopt(easy, option, value);
}

static inline long libre_curl_number(const struct libre_curl *curl, void *easy, unsigned int info) {
  long value = 0;
  return curl->easy_getinfo(easy, info, &value) == LIBRE_CURL_OK ? value : 0;
}

// The library's own, until the handle's next transfer. NULL if there is none.
static inline const char *libre_curl_text(const struct libre_curl *curl, void *easy, unsigned int info) {
  const char *value = NULL;
  return curl->easy_getinfo(easy, info, &value) == LIBRE_CURL_OK ? value : NULL;
}

// The socket of a connection that was opened without a transfer; -1 if there is none.
static inline int libre_curl_socket(const struct libre_curl *curl, void *easy) {
  int value = -1;
  return curl->easy_getinfo(easy, LIBRE_CURL_INFO_ACTIVESOCKET, &value) == LIBRE_CURL_OK ? value : -1;
}

// Waits for a socket, or until the handle is woken.
static inline int libre_curl_wait(
    const struct libre_curl *curl, void *multi, int socket, short events, int milliseconds) {
  struct libre_curl_waitfd wait = {socket, events, 0};
  return curl->multi_poll(multi, (struct curl_waitfd *)&wait, 1, milliseconds, NULL);
}

#endif
