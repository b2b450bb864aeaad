// SPDX-License-Identifier: Apache-2.0
//
// zlib, and the call of it that is a macro.

#ifndef LIBRE_CZLIB_H
#define LIBRE_CZLIB_H

#include <zlib.h>

// Gets ready for gzip, for zlib or for bare data, according to zlib's number of the form.
static inline int libre_inflate_begin(z_stream *stream, int form) { return inflateInit2(stream, form); }

#endif
