// Keeps the files of the page, so that the page can be opened while the server cannot be reached.

const FILES = ["", "board.css", "board.js", "outbox.js", "replica.js", "sender.js"];
const NAME = `board ${self.registration.scope}`;
// Milliseconds.
const PATIENCE = 10000;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepFiles());
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

// Keeps all files, which therefore have one version. A redirection, for example to a login, is an error.
async function keepFiles() {
  const files = await caches.open(NAME);
  await files.addAll(FILES.map((file) => new Request(address(file), { redirect: "error" })));
}

async function answer(event, address) {
  const isPage = event.request.mode === "navigate";
  try {
    // A browser follows the redirection of a page itself.
    const redirect = isPage ? "manual" : "follow";
    const response = await fetch(address, { redirect, signal: AbortSignal.timeout(PATIENCE) });
    if (response.status >= 500) return await kept(address) ?? response;
    // If the files cannot be kept, the page still works with a connection.
    if (isPage && response.ok) event.waitUntil(keepFiles().catch(() => {}));
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
