"""A board of one or two processes, and a network in front of it that can fail."""

import json, os, re, secrets, shutil, socket, subprocess, tempfile, threading, urllib.parse, urllib.request

PROGRAM = os.environ["PROGRAM"]
# The statuses and bodies of the errors of a proxy.
ERRORS = {
    "ill": ("503 Service Unavailable", ""),
    "closed": ("403 Forbidden", '{"error": "Sign in first."}'),
}


class Network:
    """Forwards connections to a port. The mode and the port can change at any time.

    "open"       Everything is forwarded.
    "down"       Every connection ends.
    "deaf"       Changes reach the server, but a connection ends when the server answers a change.
    "ill"        Every request receives the status 503, as from a proxy without a server.
    "closed"     Every request receives the status 403 and a reason, as from a proxy that needs a login.
    "additions"  A connection ends when the browser sends a change that adds no item.
    """

    def __init__(self, target):
        self.target = target
        self.mode = "open"
        self.pairs = set()
        # The first lines of the requests that received an error.
        self.refused = []
        # The port and the key of each request for a change, in the order in which the browser sent them.
        self.changes = []
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def set(self, mode):
        with self.lock:
            self.mode = mode
            pairs = list(self.pairs) if mode == "down" or mode in ERRORS else []
        for pair in pairs:
            pair.close()

    def move(self, target):
        """Forwards later connections to another port, and ends the others. The mode is "open" then."""
        self.set("down")
        with self.lock:
            self.target, self.mode = target, "open"

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                if self.mode in ERRORS:
                    threading.Thread(target=self.refuse, args=(client, ERRORS[self.mode]), daemon=True).start()
                elif pair := self.connect(client):
                    self.pairs.add(pair)
                    pair.start()

    def connect(self, client):
        try:
            if self.mode == "down":
                raise OSError
            return Pair(client, socket.create_connection(("127.0.0.1", self.target)), self)
        except OSError:
            client.close()

    def refuse(self, client, error):
        status, body = error
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        with client:
            try:
                # The browser may open a connection without a request.
                client.settimeout(10)
                if request := client.recv(1 << 16):
                    client.sendall((head + "Connection: close\r\n\r\n" + body).encode())
                    self.refused.append(request.split(b"\r\n", 1)[0].decode())
            except OSError:
                pass

    def close(self):
        self.listener.close()
        self.set("down")


class Pair:
    """A connection of a client, and the connection to the server."""

    def __init__(self, client, server, network):
        self.client, self.server, self.network, self.port = client, server, network, network.target
        self.changes = False

    def start(self):
        for work in (self.up, self.down):
            threading.Thread(target=work, daemon=True).start()

    def up(self):
        while data := self.receive(self.client):
            # The browser sends the head of each request at the beginning of a segment.
            method = data.split(b" ", 1)[0]
            if method in (b"GET", b"POST", b"PATCH", b"DELETE"):
                self.changes = method != b"GET"
                if key := re.search(rb'Idempotency-Key: "(.*)/(\d+)"', data):
                    self.network.changes.append((self.port, key[1].decode(), int(key[2])))
                if self.network.mode == "additions" and method in (b"PATCH", b"DELETE"):
                    break
            self.send(self.server, data)
        self.close()

    def down(self):
        while data := self.receive(self.server):
            if self.changes and self.network.mode == "deaf":
                break
            self.send(self.client, data)
        self.close()

    def receive(self, connection):
        try:
            return connection.recv(1 << 16)
        except OSError:
            return b""

    def send(self, connection, data):
        try:
            connection.sendall(data)
        except OSError:
            self.close()

    def close(self):
        for connection in (self.client, self.server):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()
        with self.network.lock:
            self.network.pairs.discard(self)


class Process:
    """A process that serves a board."""

    def __init__(self, *arguments):
        self.arguments, self.port = arguments, 0

    def start(self):
        """Starts the process, on the same port as before."""
        self.process = subprocess.Popen(
            [PROGRAM, "--port", str(self.port), *self.arguments], stdout=subprocess.PIPE, text=True
        )
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, method, path, body=None, headers={}):
        """Sends a request to the process without the network."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=json.dumps(body).encode() if body else None,
            headers={"Content-Type": "application/json"} | headers,
        )
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def items(self):
        return [(item["text"], item["done"]) for item in self.ask("GET", "/items")["items"]]

    def version(self):
        return self.ask("GET", "/status")["version"]


class Board(Process):
    """A board of one process with a network, within a `with` statement."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        super().__init__("--data", self.folder)

    def __enter__(self):
        self.start()
        self.network = Network(self.port)
        self.address = f"http://127.0.0.1:{self.network.port}/"
        return self

    def __exit__(self, *_):
        self.network.close()
        self.kill()
        shutil.rmtree(self.folder)


class SharedBoard:
    """A new board of two processes in PostgreSQL, within a `with` statement.

    The network is in front of the first process. Each board has a database of its own.
    """

    def __init__(self):
        if "FLUX_POSTGRES_URL" not in os.environ:
            raise RuntimeError("Run Samples/Board/check, which starts a PostgreSQL server.")
        self.url = os.environ["FLUX_POSTGRES_URL"]
        self.database = "board_" + secrets.token_hex(8)
        url = urllib.parse.urlsplit(self.url)._replace(path="/" + self.database).geturl()
        self.first, self.second = Process("--postgres", url), Process("--postgres", url)

    def __enter__(self):
        self.perform(f"CREATE DATABASE {self.database}")
        self.first.start()
        self.second.start()
        self.network = Network(self.first.port)
        self.address = f"http://127.0.0.1:{self.network.port}/"
        return self

    def __exit__(self, *_):
        self.network.close()
        self.first.kill()
        self.second.kill()
        self.perform(f"DROP DATABASE {self.database} WITH (FORCE)")

    def perform(self, statement):
        subprocess.run(["psql", "--quiet", "--command", statement, self.url], check=True)
