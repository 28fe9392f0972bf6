// The service worker. It caches the files of one build under that build's name. A newer build waits until the user
// accepts it.
const version = "rubric-__VERSION__";
const files = [/* __FILES__ */];

addEventListener("install", (event) => event.waitUntil(caches.open(version).then((cache) => cache.addAll(files))));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("rubric-") && name !== version) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("message", ({ data }) => data === "take over" && skipWaiting());

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(caches.open(version).then(async (cache) => (await cache.match(request, { ignoreSearch: true })) ?? fetch(request)));
});
