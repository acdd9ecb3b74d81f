// Whoever sits down adds 128 random bits of this browser's own to the shuffle. The page has shown the seal before.
document.addEventListener("submit", (event) => {
  const field = event.target.querySelector?.("input[name=entropy]");
  if (!field || field.value) return;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}, true);
