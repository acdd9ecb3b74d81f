// Makes a drawn tree smaller or larger: buttons, or + and - while it has the focus. The step stays over renewals.
const STEPS = ["50", "65", "80", "100", "120"];
const USUAL = STEPS.indexOf("100");
const chosen = new Map();

function zoom(id, by) {
  const step = Math.min(Math.max((chosen.get(id) ?? USUAL) + by, 0), STEPS.length - 1);
  chosen.set(id, step);
  show(id, step);
}

function show(id, step) {
  const draw = document.getElementById(id);
  if (!draw) return;
  draw.dataset.zoom = STEPS[step];
  for (const button of document.querySelectorAll(`[data-zoom-step][aria-controls="${id}"]`)) {
    const isEnd = step === (button.dataset.zoomStep === "1" ? STEPS.length - 1 : 0);
    button.setAttribute("aria-disabled", String(isEnd));
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-zoom-step]");
  if (button) zoom(button.getAttribute("aria-controls"), Number(button.dataset.zoomStep));
});

document.addEventListener("keydown", (event) => {
  const by = { "+": 1, "=": 1, "-": -1 }[event.key];
  if (!by || event.ctrlKey || event.metaKey || !event.target.matches(".bracket")) return;
  event.preventDefault();
  zoom(event.target.id, by);
});

document.addEventListener("htmx:afterSwap", () => chosen.forEach((step, id) => show(id, step)));
