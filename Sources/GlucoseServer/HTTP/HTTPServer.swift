// SPDX-License-Identifier: Apache-2.0
#if Serve
  import Hummingbird

  /// Serves the endpoints over HTTP.
  struct HTTPServer {
    let router = Router()
  }
#endif
