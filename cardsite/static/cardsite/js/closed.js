// The live stream has closed because this page's session ended or the page is no longer open to its reader. Loading the
// page again shows what they may see now, or the log-in. It waits a moment: where another tab has logged in or changed the
// password, the browser is about to get the cookie of a new session.
const WAIT_MS = 1_000;

const loadAgain = () => setTimeout(() => location.reload(), WAIT_MS);

document.addEventListener("closed", loadAgain);
document.addEventListener("htmx:sseOpen", ({ detail }) => detail.source.addEventListener("closed", loadAgain));
