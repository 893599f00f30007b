// In place of the service worker that a site once had: removes what that one kept, and itself.
self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(end()));

/** The worker that it ends may answer a page still, and the browser forgets this one meanwhile. */
async function install() {
  await new Promise((done) => setTimeout(done, 1000));
  await self.skipWaiting();
}

async function end() {
  const names = await caches.keys();
  const ours = names.filter((name) => name.startsWith(`offline ${self.registration.scope} `));
  await Promise.all(ours.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
