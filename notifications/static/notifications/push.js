// Subscribes this browser to Web Push. The form that the button sends carries what the browser's maker hands out.
const box = document.querySelector("[data-push]");
const state = box.querySelector("[data-push-state]");
const form = box.querySelector("[data-push-on]");
const known = [...document.querySelectorAll("[data-endpoint]")];

const base64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

async function look() {
  form.hidden = true;
  if (!("serviceWorker" in navigator && "PushManager" in window)) {
    state.textContent = isSecureContext
      ? "This browser can't show notifications. On an iPhone or iPad, add the site to your home screen first."
      : "Browsers only show notifications from sites with HTTPS.";
    return;
  }
  const worker = await navigator.serviceWorker.register(box.dataset.worker);
  const subscription = await worker.pushManager.getSubscription();
  const own = known.find(({ dataset }) => dataset.endpoint === subscription?.endpoint);
  if (own) {
    own.textContent = " (this one)";
    state.textContent = "This browser shows notifications, even when the site is closed.";
  } else if (Notification.permission === "denied") {
    state.textContent = "You have blocked notifications from this site. You can change that in your browser's site settings.";
  } else {
    state.textContent = "You'll get notifications even when the site is closed, as long as your browser is running.";
    form.hidden = false;
  }
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return look();
  const worker = await navigator.serviceWorker.ready;
  await (await worker.pushManager.getSubscription())?.unsubscribe(); // it may be for another key
  const options = { userVisibleOnly: true, applicationServerKey: box.dataset.push };
  const subscription = await worker.pushManager.subscribe(options);
  form.elements.endpoint.value = subscription.endpoint;
  form.elements.p256dh.value = base64url(subscription.getKey("p256dh"));
  form.elements.auth.value = base64url(subscription.getKey("auth"));
  form.submit();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  subscribe().catch((error) => (state.textContent = `Push couldn't be turned on: ${error.message}`));
});

look().catch(() => (state.textContent = "This browser refuses notifications from this site."));
