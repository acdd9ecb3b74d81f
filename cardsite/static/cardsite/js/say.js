// The live region #announce, which screen readers read out. It has one owner, this module: all others call `say`.
// What is said at nearly the same time becomes one text, or the later would cut off the earlier.
const TOGETHER_MS = 50;
let waiting = [];

export function say(text) {
  if (!waiting.length) setTimeout(speak, TOGETHER_MS);
  waiting.push(text);
}

function speak() {
  document.getElementById("announce").replaceChildren(waiting.join(" ").replace(/(^|[.?] )[a-z]/g, (start) => start.toUpperCase()));
  waiting = [];
}
