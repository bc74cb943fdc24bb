// Keeps the files of the page, so that the page can be opened while the server cannot be reached.

const FILES = ["", "board.css", "board.js", "outbox.js", "replica.js", "sender.js"];
const NAME = `board ${self.registration.scope}`;
// Milliseconds.
const PATIENCE = 10000;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(NAME).then((files) => files.addAll(FILES.map(address))));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const file = FILES.find((file) => address(file) === origin + pathname);
  if (event.request.method === "GET" && file !== undefined) event.respondWith(answer(event, address(file)));
});

function address(file) {
  return new URL(file, self.registration.scope).href;
}

async function answer(event, address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.status >= 500) return await kept(address) ?? response;
    if (response.ok) {
      const copy = response.clone();
      // Without space for the copy, the page works as before.
      event.waitUntil(caches.open(NAME).then((files) => files.put(address, copy)).catch(() => {}));
    }
    return response;
  } catch (error) {
    const response = await kept(address);
    if (response) return response;
    throw error;
  }
}

async function kept(address) {
  return (await caches.open(NAME)).match(address);
}
