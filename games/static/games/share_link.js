// Sharing a link: the share sheet of a phone, or the clipboard. Both need a press that is only seconds old.
const isPhone = matchMedia("(pointer: coarse)").matches;

// `link` is a promise, so that the press still counts when the address comes from the server.
// Answers "shared" or "copied", and "" if neither was possible.
export async function shareLink(link) {
  if (!isPhone || !navigator.share) return copyText(link);
  try {
    await navigator.share({ url: await link });
    return "shared";
  } catch {
    return ""; // closed without sharing
  }
}

// `text` is a promise, too. Answers "copied", and "" if that was not possible.
export async function copyText(text) {
  try {
    const plain = text.then((words) => new Blob([words], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
    return "copied";
  } catch {
    return ""; // not allowed, or not over https
  }
}
