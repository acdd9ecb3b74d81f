// Runs before the page is drawn: says that there is script, and makes a change of preference show at once.
// A browser without modules gets the pages as if there were none.
if ("noModule" in HTMLScriptElement.prototype) document.documentElement.classList.add("js");

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-preferences]");
  if (!form) return;
  const { name, value } = event.target;
  document.documentElement.dataset[name] = value;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax${secure}`;
});

// A menu closes when one clicks elsewhere or presses Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
