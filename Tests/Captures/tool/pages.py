"""A server of pages whose answers the test controls."""
import http.server, os, threading

PAGES = os.path.join(os.path.dirname(__file__), "..", "..", "..", "Samples", "Movies", "Browser", "Pages")


class PageServer:
    """A server of the program's pages, which delays held pages and refuses pages that have a status."""

    def __init__(self):
        self.statuses = {}
        self.held = {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.strip("/")
                held = outer.held.get(name)
                if held:
                    held.wait()
                status = outer.statuses.get(name, 200)
                with open(os.path.join(PAGES, name), "rb") as file:
                    body = file.read() if status == 200 else b""
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except ConnectionError:
                    pass  # The client closed the connection.

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for name in list(self.held):
            self.release(name)
        self.server.shutdown()
        self.server.server_close()

    def hold(self, name):
        self.held[name] = threading.Event()

    def release(self, name):
        self.held.pop(name).set()
