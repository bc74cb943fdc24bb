"""A page's socket, without a page and without a library."""

import json
import socket
import struct


class Page:
    """A page's socket."""

    def __init__(self, address):
        self.socket = socket.create_connection((address.hostname, address.port))
        self.file = self.socket.makefile("rb")
        self.socket.sendall(
            f"GET {address.path}socket HTTP/1.1\r\nHost: {address.netloc}\r\nOrigin: http://{address.netloc}\r\n"
            "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
        while self.file.readline().strip():
            pass

    def request(self, number, kind, **members):
        payload = json.dumps({"request": number, "type": kind, "store": 1, **members}).encode()
        length = len(payload)
        head = struct.pack("!BB", 0x81, 0x80 | length) if length < 126 else struct.pack("!BBQ", 0x81, 0xFF, length)
        # A mask of zeros leaves the payload as it is.
        self.socket.sendall(head + bytes(4) + payload)

    def message(self, fits):
        """The next message that fits, with its size in MiB; messages before it are skipped."""
        message = b""
        while True:
            first, length = self.file.read(2)
            if length >= 126:
                length = int.from_bytes(self.file.read(2 if length == 126 else 8), "big")
            message += self.file.read(length)
            if first & 0x80:
                decoded = json.loads(message)
                if fits(decoded):
                    return decoded, len(message) / (1 << 20)
                message = b""

    def answer(self, number):
        """The answer to a request, with its size in MiB; messages before it are skipped."""
        return self.message(lambda message: message.get("request") == number)

    def close(self):
        self.file.close()
        self.socket.close()
