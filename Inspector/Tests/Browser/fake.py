"""A fake program, which serves the page and sends the messages of a test over the socket."""

import asyncio, json, mimetypes, os, threading

import websockets.asyncio.server as sockets
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

from fakestore import BATCH, Refused, Store, branch, leaf

FOLDER = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "Sources", "FluxInspector", "Page"
)
TOKEN = "token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Program:
    """Serves the page at `address` on a separate thread, within a `with` statement.

    `refusals` maps the type of a request to the message with which the program refuses such requests.
    Requests whose type is in `held` receive no answer until the test removes the type.
    """

    def __init__(self, *stores, name="movies"):
        self.name, self.stores = name, list(stores) or [Store(1, "Movies")]
        self.port = 0
        self.requests = []
        self.refusals = {}
        self.held = set()
        self.sockets = {}
        self.loop = asyncio.new_event_loop()
        self.server = None
        self.changed = threading.Condition()

    def __enter__(self):
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    @property
    def store(self):
        return self.stores[0]

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/{TOKEN}/"

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(120)

    def start(self):
        """Starts listening, on the previous port if there was one."""

        async def listen():
            return await sockets.serve(
                self.serve,
                "127.0.0.1",
                self.port,
                process_request=self.page,
                max_size=16 << 20,
                compression=None,
            )

        self.server = self.do(listen())
        self.port = self.server.sockets[0].getsockname()[1]

    def stop(self):
        """Stops listening, and closes all connections."""

        async def close():
            self.server.close()
            await self.server.wait_closed()

        if self.server:
            self.do(close())
            self.server = None

    def send(self, *messages):
        """Sends each message to every page that watches the store of the message."""

        async def send():
            for message in messages:
                for socket, watched in list(self.sockets.items()):
                    if message.get("store") in watched or "store" not in message:
                        await socket.send(json.dumps(message))

        self.do(send())

    def add(self, count=1, store=None, **fields):
        """Adds entries and sends them in batches."""
        store = store or self.store
        keep = store.current if store.entries and store.entries[-1]["id"] > store.current else None
        added = store.add(count, **fields)
        for start in range(0, count, BATCH):
            self.send(store.log(added[start : start + BATCH], keep=keep if start == 0 else None))
        return added

    def send_origins(self, origins, store=None):
        """Sends origins of entries that were sent without them."""
        entries = [{"id": number, "origin": origin} for number, origin in origins.items()]
        self.send({"type": "origins", "store": (store or self.store).number, "entries": entries})

    def asked(self, type, **fields):
        """Waits for a request for at most a minute, and returns the latest matching request."""

        def found():
            return [
                request
                for request in self.requests
                if request["type"] == type and all(request.get(name) == fields[name] for name in fields)
            ]

        with self.changed:
            if not self.changed.wait_for(found, 60):
                raise AssertionError(
                    f"The page has not sent the request {type} {fields}; its last requests: {self.requests[-5:]}."
                )
            return found()[-1]

    # Answering requests

    def page(self, connection, request):
        path = request.path.split("?")[0]
        if path == f"/{TOKEN}/socket":
            return None
        name = os.path.basename(path) or "index.html"
        file = os.path.join(FOLDER, name)
        if os.path.dirname(path) != f"/{TOKEN}" or not os.path.isfile(file):
            return Response(404, "Not Found", Headers({"Content-Length": "0"}), b"")
        with open(file, "rb") as opened:
            body = opened.read()
        kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
        return Response(
            200,
            "OK",
            Headers(
                {
                    "Content-Type": f"{kind}; charset=utf-8",
                    "Content-Length": str(len(body)),
                    "Content-Security-Policy": POLICY,
                    "X-Content-Type-Options": "nosniff",
                    "Connection": "close",
                    "Referrer-Policy": "no-referrer",
                    "Cache-Control": "no-store",
                }
            ),
            body,
        )

    async def serve(self, socket):
        self.sockets[socket] = set()
        try:
            await socket.send(
                json.dumps(
                    {
                        "type": "welcome",
                        "protocol": 1,
                        "program": self.name,
                        "stores": [store.line() for store in self.stores],
                    }
                )
            )
            async for text in socket:
                request = json.loads(text)
                while request["type"] in self.held:
                    await asyncio.sleep(0.005)
                for message in self.answers(socket, request):
                    await socket.send(json.dumps(message))
                with self.changed:
                    self.requests.append(request)
                    self.changed.notify_all()
        except ConnectionClosed:
            pass
        finally:
            del self.sockets[socket]

    def answers(self, socket, request):
        number, type = request["request"], request["type"]
        try:
            if self.refusals.get(type):
                raise Refused(self.refusals[type])
            store = next(store for store in self.stores if store.number == request["store"])
            answer, *rest = self.answer(socket, store, request)
            return [{"request": number, "store": store.number, **answer}, *rest]
        except Refused as refusal:
            return [{"type": "refused", "request": number, "code": refusal.code, "message": str(refusal)}]

    def answer(self, socket, store, request):
        match request["type"]:
            case "watch":
                self.sockets[socket].add(store.number)
                return [{"type": "done"}, *store.whole()]
            case "command":
                return [{"type": "done"}, *store.command(request["command"], request["entry"])]
            case "state":
                tree = store.tree(request["at"], request["path"])
                return [
                    {
                        "type": "state",
                        "at": store.current if request["at"] is None else request["at"],
                        "tree": tree,
                        **({} if store.address is None else {"address": store.address}),
                    }
                ]
            case "queries":
                at = request["at"]
                return [{"type": "queries", "at": at, "table": store.table(at, request["from"])}]
            case "changes":
                changes = store.changes_of(request["entry"])
                return [
                    {"type": "changes", "entry": request["entry"], "changes": changes, "isCut": store.is_cut}
                ]
            case "find":
                entries, through = store.find(request["path"], request["from"], request["limit"])
                return [{"type": "found", "entries": entries, "through": through}]
            case "action":
                entry = store.entry(request["entry"])
                text = json.dumps({"id": entry["id"], "title": f"Film {entry['id']}"}, separators=(",", ":"))
                tree = branch(
                    entry["name"],
                    entry["name"],
                    "",
                    [leaf("id", "Int", str(entry["id"])), leaf("title", "String", f'"Film {entry["id"]}"')],
                )
                return [{"type": "action", "entry": entry["id"], "tree": tree, "json": text}]
            case "dispatch":
                added = store.add(name=request["name"], text=f"{request['name']}({request['payload'][:200]})")
                return [{"type": "done"}, store.log(added)]
            case "export":
                return [
                    {
                        "type": "exported",
                        "document": json.dumps({"format": "flux-history", "entries": store.entries}),
                    }
                ]
            case "import":
                try:
                    store.entries = json.loads(request["document"])["entries"]
                except (ValueError, KeyError) as error:
                    raise Refused("The data is not an exported history.", "notJSON") from error
                store.current = store.entries[-1]["id"]
                return [{"type": "done"}, *store.whole()]
        raise Refused(f"Nothing is called {request['type']}.", "unknownRequest")
