// Shows the notices that arrive by Web Push, also while no page of the site is open.
self.addEventListener("push", (event) => {
  const { text, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(text, { tag, data: url, icon: "/static/cardsite/icon.svg" }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
