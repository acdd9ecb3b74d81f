// What came of the form that led to this page, messages and errors, is read out: a page that has just been loaded says only its
// title and the field that has the focus.
import { say } from "./say.js";

const OUTCOME = ".messages .notice, .errorlist li";

function sayOutcome() {
  for (const line of document.querySelectorAll(OUTCOME)) {
    const label = line.closest(".errorlist") && line.closest(".field")?.querySelector("label");
    say([label, line].filter(Boolean).map((element) => element.textContent.trim()).join(": "));
  }
}

addEventListener("load", sayOutcome);
