// <button data-copy="id"> shares or copies the value of the field with that id; with data-code it only copies.
import { copyText, shareLink } from "./share_link.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  const done = await ("code" in button.dataset ? copyText : shareLink)(Promise.resolve(field.value));
  button.textContent = { copied: "Copied", shared: "Shared" }[done] ?? "Press Ctrl+C";
});
