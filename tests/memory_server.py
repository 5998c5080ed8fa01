"""A small memory server for tests, over HTTP: it stores texts and finds them by common words."""

# ruff: noqa: D102, D105, D107 - what a server does stands in its one docstring

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def nearest(texts, question):
    words = set(question.lower().split())
    return sorted(texts, key=lambda text: -len(words & set(text.lower().split())))


class MemoryServer:
    """Speaks the protocol for one ``with`` block; *faults* answer instead, by method and path."""

    def __init__(self, faults=None, *, names_claims=True, lists=True):
        self.faults, self.names_claims, self.lists = faults or {}, names_claims, lists
        self.told, self.requests = {}, []

    def answer(self, asked, body):
        """Return status and document for a request."""
        if asked == "POST /reset":
            self.told.clear()
        elif asked == "POST /ingest":
            self.told[body["id"]] = body["text"]
        elif asked == "POST /query":
            texts = nearest(list(self.told.values()), body["query"])[: body["k"]]
            return 200, {"notes": [self.note(text) for text in texts]}
        elif asked == "GET /held" and self.lists:
            return 200, {"notes": [self.note(text) for text in self.told.values()]}
        else:
            return 404, {"error": "no such call"}
        return 200, {}

    def note(self, text):
        name = next(name for name, told in self.told.items() if told == text)
        return {"text": text, "claims": [name], "id": f"n-{name}"} if self.names_claims else {"text": text}

    def __enter__(self):
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    def handler(self):
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"  # connections are kept
            disable_nagle_algorithm = True  # else each answer waits 40 ms

            def handle_any(self):
                content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                body = json.loads(content) if content else None
                asked = f"{self.command} {self.path}"
                server.requests.append((asked, body, dict(self.headers)))
                fault = server.faults.get(asked)
                status, document = fault(body) if fault else server.answer(asked, body)
                sent = document if isinstance(document, bytes) else json.dumps(document).encode()
                with suppress(ConnectionError):  # the client may have given up
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(sent)))
                    self.end_headers()
                    self.wfile.write(sent)

            do_GET = do_POST = do_PUT = handle_any  # noqa: N815 - names of the standard library

            def log_message(self, *_):
                """Say nothing: requests are recorded."""

        return Handler


def slow(seconds):
    def answer(_):
        time.sleep(seconds)
        return 200, {"notes": []}

    return answer
