// Brings new notices onto the page at once. A page with a stream of its own hears of them there. Of all other tabs one
// listens and tells the rest, since a browser opens only six connections to a host.
const AGAIN_MS = 30_000;
const region = document.getElementById("notices");
const { user, stream } = region.dataset;
const tabs = new BroadcastChannel(`notices-${user}`);
let newest = Number(region.firstElementChild.dataset.newest);
let isSpeaker = false;
let source = null;

function refresh() {
  htmx.trigger(region, "notices:changed");
}

function hear(number) {
  if (number <= newest) return;
  newest = number;
  refresh();
}

function show() {
  const { count, shown } = region.firstElementChild.dataset;
  document.querySelector("[data-bell-count]").textContent = count === "0" ? "" : shown;
}

function listen() {
  const opened = new EventSource(`${stream}?seen=${newest}`);
  opened.addEventListener("moved", ({ data }) => {
    hear(Number(data));
    tabs.postMessage({ newest });
  });
  opened.addEventListener("closed", () => {
    tabs.postMessage({ closed: true });
    document.dispatchEvent(new Event("closed"));
  });
  // A browser gives a stream up that is answered with an error, such as by a proxy while the site restarts.
  opened.addEventListener("error", () => {
    if (opened.readyState === EventSource.CLOSED) setTimeout(() => source === opened && listen(), AGAIN_MS);
  });
  source = opened;
}

function takeTurns() {
  navigator.locks.request(`notices-${user}`, () => {
    isSpeaker = true;
    listen();
    return new Promise(() => {}); // until this tab is gone
  });
}

// Without locks, which need HTTPS, the tab that one looks at listens.
function listenWhileVisible() {
  const turn = () => {
    if (document.visibilityState === "visible") return source ?? listen();
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", turn);
  turn();
}

tabs.addEventListener("message", ({ data }) => {
  if (data.closed) document.dispatchEvent(new Event("closed"));
  else if (data.read) refresh();
  else if (data.newest) hear(data.newest);
  else if (isSpeaker) tabs.postMessage({ newest });
});

region.addEventListener("htmx:afterSwap", ({ detail }) => {
  show();
  if (detail.requestConfig.verb === "post") tabs.postMessage({ read: true });
});

// Between the making of the page and its stream something may have happened.
const onNotice = ({ data }) => hear(Number(data));
document.addEventListener("htmx:sseOpen", ({ detail }) => {
  detail.source.addEventListener("notice", onNotice);
  refresh();
});
addEventListener("pageshow", ({ persisted }) => { if (persisted) refresh(); });

show();
if (!document.querySelector("[sse-connect]")) {
  if (navigator.locks) takeTurns();
  else listenWhileVisible();
  tabs.postMessage({ hello: true });
}
