// SPDX-License-Identifier: Apache-2.0
//
// The part of libnfc that reading a sensor needs, declared here and looked up when it is first wanted: the program
// starts and decodes dumps where libnfc is not installed, and is built where its header is not. An integration test
// holds every line against <nfc/nfc.h>.
#ifndef LIBRE_CNFC_SHIM_H
#define LIBRE_CNFC_SHIM_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nfc_context;
struct nfc_device;

// The ABI that these declarations describe.
#define LIBRE_NFC_LIBRARY "libnfc.so.6"

// nfc_property
#define LIBRE_NP_HANDLE_CRC 3u
#define LIBRE_NP_HANDLE_PARITY 4u
#define LIBRE_NP_ACTIVATE_FIELD 5u
#define LIBRE_NP_INFINITE_SELECT 7u
#define LIBRE_NP_EASY_FRAMING 11u

// What a call returns instead of a count.
#define LIBRE_NFC_EIO -1
#define LIBRE_NFC_ETIMEOUT -6
#define LIBRE_NFC_ERFTRANS -20

struct libre_nfc {
  void (*init)(struct nfc_context **context);
  void (*exit)(struct nfc_context *context);
  struct nfc_device *(*open)(struct nfc_context *context, const char *connstring);
  void (*close)(struct nfc_device *device);
  int (*initiator_init)(struct nfc_device *device);
  int (*device_set_property_bool)(struct nfc_device *device, unsigned int property, bool enable);
  int (*initiator_transceive_bytes)(
      struct nfc_device *device, const uint8_t *tx, size_t tx_count, uint8_t *rx, size_t rx_size, int milliseconds);
  const char *(*device_get_name)(struct nfc_device *device);
  const char *(*strerror)(const struct nfc_device *device);
  // Exported since 1.7.0 and in no header (read: Debian's symbols file).
  int (*pn53x_transceive)(
      struct nfc_device *device, const uint8_t *tx, size_t tx_count, uint8_t *rx, size_t rx_size, int milliseconds);
};

// Fills `functions` from the library, which then stays loaded. False if the library cannot be loaded, and then
// `missing` is NULL, or if it lacks a function, and then `missing` is its name.
static inline bool libre_nfc_load(const char *library, struct libre_nfc *functions, const char **missing) {
  const struct {
    const char *name;
    void *slot;
  } wanted[] = {
      {"nfc_init", &functions->init},
      {"nfc_exit", &functions->exit},
      {"nfc_open", &functions->open},
      {"nfc_close", &functions->close},
      {"nfc_initiator_init", &functions->initiator_init},
      {"nfc_device_set_property_bool", &functions->device_set_property_bool},
      {"nfc_initiator_transceive_bytes", &functions->initiator_transceive_bytes},
      {"nfc_device_get_name", &functions->device_get_name},
      {"nfc_strerror", &functions->strerror},
      {"pn53x_transceive", &functions->pn53x_transceive},
  };
  *missing = NULL;
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return false;
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    void *found = dlsym(handle, wanted[i].name);
    if (found == NULL) {
      *missing = wanted[i].name;
      return false;
    }
    // ISO C has no cast from an object pointer to a function pointer; their bytes are the same where there is dlsym.
    __builtin_memcpy(wanted[i].slot, &found, sizeof found);
  }
  return true;
}

#endif
