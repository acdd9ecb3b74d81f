// Subscribes this browser to Web Push. The form that the button sends carries what the browser's maker hands out.
const box = document.querySelector("[data-push]");
const state = box.querySelector("[data-push-state]");
const form = box.querySelector("[data-push-on]");
const known = [...document.querySelectorAll("[data-endpoint]")];

const base64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

async function look() {
  if (!("serviceWorker" in navigator && "PushManager" in window)) {
    state.textContent = isSecureContext
      ? "This browser cannot show notices. On an iPhone or iPad the site has to be on the home screen first."
      : "Browsers show notices of sites with HTTPS only.";
    return;
  }
  const worker = await navigator.serviceWorker.register(box.dataset.worker);
  const subscription = await worker.pushManager.getSubscription();
  const own = known.find(({ dataset }) => dataset.endpoint === subscription?.endpoint);
  if (own) {
    own.textContent = " (this one)";
    state.textContent = "This browser shows notices, also while the site is closed.";
  } else if (Notification.permission === "denied") {
    state.textContent = "You have told this browser not to show notices of this site; its settings for the site can change that.";
  } else {
    state.textContent = "It shows notices also while the site is closed, as long as the browser runs.";
    form.hidden = false;
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if ((await Notification.requestPermission()) !== "granted") return look();
  const worker = await navigator.serviceWorker.ready;
  await (await worker.pushManager.getSubscription())?.unsubscribe(); // it may be for another key
  const options = { userVisibleOnly: true, applicationServerKey: box.dataset.push };
  const subscription = await worker.pushManager.subscribe(options).catch((error) => {
    state.textContent = `This browser could not subscribe: ${error.message}`;
  });
  if (!subscription) return;
  form.elements.endpoint.value = subscription.endpoint;
  form.elements.p256dh.value = base64url(subscription.getKey("p256dh"));
  form.elements.auth.value = base64url(subscription.getKey("auth"));
  form.submit();
});

look();
