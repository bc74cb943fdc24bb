// Keeps the files of the page, so that the page can be opened while the server cannot be reached.

const FILES = ["./", "board.css", "board.js", "outbox.js", "replica.js", "sender.js"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open("board").then((files) => files.addAll(FILES)));
});

self.addEventListener("fetch", (event) => {
  const path = new URL(event.request.url).pathname.replace(/^.*\//, "") || "./";
  if (event.request.method !== "GET" || !FILES.includes(path)) return;
  event.respondWith(answer(event.request));
});

async function answer(request) {
  try {
    const response = await fetch(request);
    if (response.ok) await (await caches.open("board")).put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
