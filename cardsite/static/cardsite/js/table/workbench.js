// Rearranging the table freely before a play: [data-workbench] with melds ([data-meld]), the hand ([data-hand]) and a form.
// It only moves cards about. `data-check-url?text=…` judges the arrangement, and the form sends it as the same text:
// every meld on the table, cards apart by spaces and melds by " / ", as in "4H1 5H1 6H2 / 9C1 9D1 XB".
// Answer of the check: {ok, say, rule, melds: [{ok, say, cards}]}, melds in the order sent; `cards`, if given, is their proper
// order, and `rule` the address of the rule that is broken, "" if none is.
import { glideFrom, rectsOf } from "./flip.js";
import { useBench } from "./places.js";

const CHECK_AFTER_MS = 150;
const ANSWER_MS = 15_000;
const NO_ANSWER = "The site couldn't check this. Press Play to try again.";
const nameOf = (box) => box.dataset.label || "New meld";
const kept = new Map(); // arrangements by the position they start from, so that a re-drawn board does not lose them

class Workbench {
  constructor(root) {
    this.root = root;
    this.form = root.querySelector("form[data-play]");
    this.hand = root.querySelector("[data-hand] .cards");
    this.meldList = root.querySelector("[data-melds]");
    this.pattern = root.querySelector("template[data-meld-pattern]");
    this.felt = root.closest(".felt");
    this.steps = root.dataset.meldSteps.split(" "); // numbers of melds from which they are laid otherwise
    this.verdict = root.querySelector("[data-verdict]");
    this.rule = root.querySelector("[data-rule]");
    this.prompt = this.verdict.textContent;
    this.cards = new Map([...root.querySelectorAll(".pick[data-card]")].map((pick) => [pick.dataset.card, pick]));
    this.own = new Set([...this.hand.querySelectorAll("[data-card]")].map((pick) => pick.dataset.card));
    this.start = this.read();
    this.now = structuredClone(this.start);
    this.past = [];
    this.selected = new Set();
    const board = root.closest("[data-seq]")?.dataset;
    this.key = board?.position ?? board?.seq;
    const saved = kept.get(this.key);
    if (saved) [this.now, this.past] = [saved.now, saved.past];
    for (const id of this.own) this.cards.get(id).classList.add("is-from-hand");
    this.listen();
    this.draw();
  }

  // An arrangement: {hand: [card], melds: [{number, cards: [card]}]}; `number` is null for a new meld.
  read() {
    const codes = (box) => [...box.querySelectorAll("[data-card]")].map((pick) => pick.dataset.card);
    const melds = [...this.meldList.querySelectorAll("[data-meld]")];
    return { hand: codes(this.hand), melds: melds.map((meld) => ({ number: meld.dataset.meld, cards: codes(meld) })) };
  }

  get text() {
    return this.now.melds.map((meld) => meld.cards.join(" ")).join(" / ");
  }

  // Moves cards to a meld (by its place in the list), to a new one ("new") or back to the hand ("hand").
  move(ids, target) {
    const moving = ids.filter((id) => target !== "hand" || this.own.has(id));
    if (!moving.length) return;
    this.past.push(structuredClone(this.now));
    const gone = new Set(moving);
    const { now } = this;
    now.hand = now.hand.filter((id) => !gone.has(id));
    for (const meld of now.melds) meld.cards = meld.cards.filter((id) => !gone.has(id));
    if (target === "hand") now.hand = this.start.hand.filter((id) => now.hand.includes(id) || gone.has(id));
    else if (target === "new") now.melds.push({ number: null, cards: moving });
    else now.melds[target].cards.push(...moving);
    now.melds = now.melds.filter((meld) => meld.cards.length);
    this.selected.clear();
    this.draw();
  }

  undo() {
    if (this.past.length) this.now = this.past.pop();
    this.selected.clear();
    this.draw();
  }

  reset() {
    this.past.push(structuredClone(this.now));
    this.now = structuredClone(this.start);
    this.selected.clear();
    this.draw();
  }

  draw() {
    const focus = document.activeElement?.closest?.("[data-card]")?.dataset.card;
    const before = rectsOf(this.cards);
    this.hand.replaceChildren(...this.now.hand.map((id) => this.cards.get(id)));
    const boxes = this.now.melds.map((meld, place) => this.meldBox(meld, place));
    this.meldList.replaceChildren(...boxes, this.newBox());
    this.felt.dataset.melds = this.steps.filter((step) => step <= this.meldList.children.length).join(" ");
    glideFrom(before, this.cards);
    if (focus) this.cards.get(focus).focus({ preventScroll: true });
    this.showSelection();
    this.root.dispatchEvent(new CustomEvent("workbench:drawn", { bubbles: true }));
    const changed = this.past.length > 0;
    for (const button of this.root.querySelectorAll("[data-undo], [data-reset]")) button.disabled = !changed;
    this.form.elements.text.value = this.text;
    kept.clear();
    kept.set(this.key, { now: this.now, past: this.past });
    if (changed) this.checkSoon();
    else this.judge({ ok: false, say: "", rule: "", melds: [] });
  }

  meldBox(meld, place) {
    const box = this.pattern.content.firstElementChild.cloneNode(true);
    box.dataset.meld = meld.number ?? "";
    box.dataset.put = place;
    box.dataset.label = meld.number ? `Meld ${meld.number}` : "";
    this.lay(box, meld.cards);
    box.querySelector(".put").setAttribute("aria-label", `Put here, ${nameOf(box).toLowerCase()}`);
    return box;
  }

  lay(box, ids) {
    const cards = ids.map((id) => this.cards.get(id));
    box.querySelector(".cards").append(...cards);
    const names = cards.map((card) => card.querySelector("[role=img]").getAttribute("aria-label"));
    box.setAttribute("aria-label", `${nameOf(box)}: ${names.join(", ")}`);
  }

  newBox() {
    const box = this.pattern.content.firstElementChild.cloneNode(true);
    box.classList.add("meld-new");
    box.dataset.put = "new";
    box.setAttribute("aria-label", "Place for a new meld");
    box.querySelector(".cards").remove();
    box.querySelector(".meld-say").textContent = "New meld";
    box.querySelector(".put").remove();
    return box;
  }

  showSelection() {
    this.root.classList.toggle("has-selection", this.selected.size > 0);
    for (const [id, pick] of this.cards) pick.setAttribute("aria-pressed", String(this.selected.has(id)));
    this.root.querySelector("[data-back]").hidden = ![...this.selected].some((id) => this.own.has(id) && !this.now.hand.includes(id));
  }

  checkSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), CHECK_AFTER_MS);
  }

  async check() {
    const text = this.text;
    const url = new URL(this.root.dataset.checkUrl, location.href);
    url.searchParams.set("text", text);
    const verdict = await fetch(url, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(ANSWER_MS) })
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (text !== this.text) return;
    if (verdict) this.judge(verdict);
    else this.verdict.textContent = NO_ANSWER;
  }

  judge({ ok, say, rule, melds }) {
    this.verdict.textContent = say || this.prompt;
    this.rule.hidden = !rule;
    this.rule.href = rule;
    this.form.querySelector("[type=submit]").setAttribute("aria-disabled", String(!ok));
    const boxes = [...this.meldList.querySelectorAll("[data-meld]:not(.meld-new)")];
    boxes.forEach((box, place) => {
      const verdict = melds[place];
      box.classList.toggle("is-right", verdict?.ok === true);
      box.classList.toggle("is-wrong", verdict?.ok === false);
      const said = box.querySelector(".meld-say");
      said.textContent = verdict?.say || box.dataset.label;
      said.setAttribute("aria-hidden", String(!verdict)); // its group has that name
      if (verdict?.cards?.length !== this.now.melds[place].cards.length) return;
      const before = rectsOf(this.cards);
      this.now.melds[place].cards = verdict.cards;
      this.lay(box, verdict.cards);
      glideFrom(before, this.cards);
    });
    this.form.elements.text.value = this.text;
  }

  listen() {
    this.root.addEventListener("click", (event) => {
      const pick = event.target.closest(".pick[data-card]");
      if (pick) return this.choose(pick.dataset.card);
      if (event.target.closest("[data-put]")) return this.move([...this.selected], this.targetOf(event.target));
      if (event.target.closest("[data-undo]")) return this.undo();
      if (event.target.closest("[data-reset]")) return this.reset();
      if (event.target.closest("[data-check]")) return this.check();
    });
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.selected.clear();
        this.showSelection();
      } else if (event.key === "z" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.undo();
      }
    });
    this.form.addEventListener("submit", (event) => {
      if (this.form.querySelector("[type=submit]").getAttribute("aria-disabled") === "true") {
        event.preventDefault();
        event.stopPropagation();
        this.check();
      }
    }, true);
  }

  targetOf(element) {
    const put = element?.closest?.("[data-put]")?.dataset.put;
    return put === undefined || put === "hand" || put === "new" ? put : Number(put);
  }

  // As a drag and the keys know it (places.js)

  canHold(id) {
    return this.cards.has(id);
  }

  chosen() {
    return [...this.selected];
  }

  choose(id) {
    if (!this.selected.delete(id)) this.selected.add(id);
    this.showSelection();
  }

  // Every meld, a new one, and the hand for cards of its own, but not where all of them are.
  places(held) {
    const picks = held.map((id) => this.cards.get(id));
    const goesBack = held.some((id) => this.own.has(id));
    return [...this.root.querySelectorAll(".meld[data-put], .hand[data-put]")]
      .filter((place) => !picks.every((pick) => place.contains(pick)) && (goesBack || place.dataset.put !== "hand"))
      .map((element) => ({ id: element.dataset.put, element }));
  }

  joins(held) {
    return [...this.cards.keys()].filter((id) => !held.includes(id));
  }

  drop(held, id, land) {
    land();
    this.move(held, id === "hand" || id === "new" ? id : Number(id));
  }
}

function after(board) {
  const root = board.querySelector("[data-workbench]");
  useBench(root && new Workbench(root));
  if (root) root.dataset.ready = "";
}

export const start = () => ({ after });
