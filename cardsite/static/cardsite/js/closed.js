// The live stream has closed because this page's session ended or the page is no longer open to its reader. Loading the
// page again shows what they may see now, or the log-in. It waits a moment: where another tab has logged in or changed the
// password, the browser is about to get the cookie of a new session. It waits longer for the answer to a form of this page,
// which may be what has ended the session.
const WAIT_MS = 1_000;
const ANSWER_MS = 30_000;
let answeredBy = 0;

const loadAgain = () => setTimeout(() => location.reload(), Math.max(WAIT_MS, answeredBy - Date.now()));

document.addEventListener("submit", ({ defaultPrevented }) => {
  if (!defaultPrevented) answeredBy = Date.now() + ANSWER_MS;
});
document.addEventListener("closed", loadAgain);
document.addEventListener("htmx:sseOpen", ({ detail }) => detail.source.addEventListener("closed", loadAgain));
