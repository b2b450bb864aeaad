# SPDX-License-Identifier: Apache-2.0
"""A receiver of samples that remembers what came, and fails now and then."""

import http.server
import json
import threading


class Receiver:
    """A webhook's server. It refuses every `refused`th request. Each one that it takes is a mark in the log of `disk`."""

    def __init__(self, refused):
        self.requests, self.disk, self.asked = [], None, 0
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.asked += 1
                is_refused = receiver.asked % refused == 0
                if not is_refused:
                    ids = [sample["id"] for sample in json.loads(body)["samples"]]
                    receiver.requests.append((self.headers["Idempotency-Key"], ids))
                    if receiver.disk:
                        receiver.disk.mark("request", len(receiver.requests))
                self.send_response(503 if is_refused else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def keys(self):
        """The keys under which each id came."""
        keys = {}
        for key, ids in self.requests:
            for sample in ids:
                keys.setdefault(sample, set()).add(key)
        return keys
