// <button data-invite> opens a table, puts its link on the clipboard or the share sheet, and goes there.
import { shareLink } from "./share_link.js";

document.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (!button?.matches("[data-invite]")) return;
  event.preventDefault();
  const form = event.target;
  form.elements.shuffles.value = globalThis.crypto?.subtle ? "1" : "";
  const answer = fetch(button.getAttribute("formaction") ?? form.action, { method: "POST", body: new FormData(form, button) });
  const link = answer.then((found) => {
    if (!found.ok) throw new Error(found.status);
    return found.url;
  });
  try {
    const done = await shareLink(link);
    location.assign(done === "copied" ? `${await link}#link-copied` : await link);
  } catch {
    button.removeAttribute("data-invite");
    form.requestSubmit(button); // the page of the answer says what is wrong
  }
});
