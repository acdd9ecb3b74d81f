{% load static %}// Service worker: shows what arrives by Web Push, also while no page is open, and a page that says so when there is no
// connection. It keeps that page and its stylesheet and nothing else: no page that a player sees, no board, no token.
const OFFLINE = "{% url 'offline' %}";
const KEPT = [OFFLINE, "{% static 'cardsite/css/site.css' %}"];
const CACHE = "offline-{{ release }}";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)).then(() => self.skipWaiting()));
});

async function dropOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

self.addEventListener("activate", (event) => {
  const preload = self.registration.navigationPreload?.enable(); // pages need not wait until the worker has started
  event.waitUntil(Promise.all([dropOldCaches(), preload]));
});

// The network, and without it what is kept under this address.
async function answer(event, kept) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return caches.match(kept);
  }
}

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { pathname } = new URL(url);
  if (method !== "GET") return;
  if (mode === "navigate") event.respondWith(answer(event, OFFLINE));
  else if (KEPT.includes(pathname)) event.respondWith(answer(event, pathname));
});

self.addEventListener("push", (event) => {
  const { text, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(text, { tag, data: url, icon: "{% static 'cardsite/icon.svg' %}" }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
