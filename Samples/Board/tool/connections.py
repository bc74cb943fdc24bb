"""Connections to the board, for requests and for events."""
import asyncio, json


class Lost(Exception):
    """The connection ended, so that the result of the request is unknown."""


class Broken(Exception):
    """The server violated a guarantee."""


class Requests(asyncio.Protocol):
    """A connection that sends one request at a time and waits for the answer."""

    def __init__(self):
        self.buffer, self.waiting, self.transport = b"", None, None

    @classmethod
    async def open(cls, port):
        try:
            return (await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port))[1]
        except OSError as error:
            raise Lost from error

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        if self.waiting and not self.waiting.done():
            self.waiting.set_exception(Lost())

    def data_received(self, data):
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self.buffer[:end].decode().split("\r\n")
        length = next(int(line[16:]) for line in head if line.lower().startswith("content-length: "))
        if len(self.buffer) < end + 4 + length:
            return
        body = self.buffer[end + 4 : end + 4 + length]
        self.buffer = self.buffer[end + 4 + length :]
        if not self.waiting.done():
            self.waiting.set_result((int(head[0].split()[1]), json.loads(body)))

    async def ask(self, method, path, body=None, key=None):
        """Sends a request, and returns the status and the JSON of the answer."""
        if self.transport.is_closing():
            raise Lost
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(data)}"]
        if data:
            lines.append("Content-Type: application/json")
        if key:
            lines.append(f'Idempotency-Key: "{key}"')
        head = "".join(line + "\r\n" for line in lines) + "\r\n"
        self.waiting = asyncio.get_running_loop().create_future()
        self.transport.write(head.encode() + data)
        return await self.waiting

    def close(self):
        self.transport.close()


class Events(asyncio.Protocol):
    """A connection that calls `take` with each event, and `ended` when the connection ends."""

    def __init__(self, seen, take, ended):
        self.seen, self.take, self.ended = seen, take, ended
        self.buffer, self.text, self.hasHead = bytearray(), bytearray(), False

    @classmethod
    async def open(cls, port, seen, take, ended):
        try:
            make = lambda: cls(seen, take, ended)
            return (await asyncio.get_running_loop().create_connection(make, "127.0.0.1", port))[1]
        except OSError as error:
            raise Lost from error

    def connection_made(self, transport):
        self.transport = transport
        seen = "" if self.seen < 0 else f"Last-Event-ID: {self.seen}\r\n"
        transport.write(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n{seen}\r\n".encode())

    def connection_lost(self, error):
        self.ended()

    def data_received(self, data):
        buffer = self.buffer
        buffer += data
        if not self.hasHead:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert buffer.startswith(b"HTTP/1.1 200 "), bytes(buffer[:end])
            del buffer[: end + 4]
            self.hasHead = True
        start = 0
        while (line := buffer.find(b"\r\n", start)) >= 0:
            count = int(buffer[start:line], 16)
            if len(buffer) < line + 4 + count:
                break
            self.text += buffer[line + 2 : line + 2 + count]
            start = line + 4 + count
        del buffer[:start]
        start = 0
        while (end := self.text.find(b"\n\n", start)) >= 0:
            self.take(bytes(self.text[start:end]))
            start = end + 2
        del self.text[:start]
