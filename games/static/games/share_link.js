// Sharing a link: the share sheet of a phone, or the clipboard. Both need a press that is only seconds old.
const isPhone = matchMedia("(pointer: coarse)").matches;

// `link` is a promise, so that the press still counts when the address comes from the server.
// Answers "shared" or "copied", and "" if neither was possible.
export async function shareLink(link) {
  if (isPhone && navigator.share) {
    try {
      await navigator.share({ url: await link });
      return "shared";
    } catch {
      return ""; // closed without sharing
    }
  }
  try {
    const text = link.then((url) => new Blob([url], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    return "copied";
  } catch {
    return ""; // not allowed, or not over https
  }
}
