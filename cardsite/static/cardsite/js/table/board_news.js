// What a board brings that is new, in sentences: the pure part of announce.js. A board is summed up as
//   {asked, ended, call, told: [{text, isHandEnd}], moves, isUndone, isShow, isOver,
//    cards, open: Map of id to name, in the hand and on the table; seen: Set of the ids of all cards outside of the hand}
// `told` are the last lines of the log.
const textsOf = (lines) => lines.map(({ text }) => text);

export function boardNews(now, before) {
  const changed = (part) => (now[part] && now[part] !== before[part] ? [now[part]] : []);
  const isUndone = now.isUndone && now.moves !== before.moves; // the record grows by an undo, too
  if (isUndone || now.moves < before.moves) return [...changed("asked"), ...changed("call")]; // its cards only came back
  const lines = newLines(now, before).filter(({ isHandEnd }) => !(isHandEnd && before.isShow)); // the count has told of it
  if (now.isShow && !before.isShow) lines.pop(); // the count begins with the last move
  const ended = changed("ended");
  const isEnd = ended.length > 0;
  const texts = textsOf(lines);
  const played = isEnd && lines.length === now.told.length ? [...ended, ...texts] : [...texts, ...ended]; // a new log is of the next hand
  const turn = (isEnd ? [now.call] : changed("call")).map((call) => withoutTold(call, texts));
  const isNewDeal = before.isShow && !now.isOver; // no card lies where it lay before, although its place may have had it
  const known = isNewDeal ? { open: new Map(), cards: new Map(), seen: new Set() } : before;
  const open = isEnd ? [] : turnedUp(now, known, [...texts, ...turn]);
  const cards = now.isShow ? [] : [...open, ...newCards(now, known, texts, isEnd || isNewDeal)]; // the count names its own
  return [...changed("asked"), ...played, ...cards, ...turn].filter(Boolean);
}

// Cards that have come to the table, or were turned face up there, without being named in what is said.
function turnedUp({ open }, before, texts) {
  const isNew = ([id, name]) => !before.open.has(id) && !before.cards.has(id) && !texts.some((text) => text.includes(name));
  const names = [...open].filter(isNew).map(([, name]) => name);
  return names.length ? [`Face up on the table: ${names.join(", ")}.`] : [];
}

// Whose turn it is and what there is to do, without the moves that are told beside it: a prompt may begin with the last one.
export function withoutTold(call, texts) {
  return texts.filter(Boolean).reduce((rest, text) => rest.replace(text, "").replace(/  +/g, " "), call).trim();
}

// The lines that have come to the log, which starts again with each hand in some games.
function newLines({ told, moves, ended }, before) {
  const played = moves - before.moves;
  if (!played) return told.at(-1)?.text === before.told.at(-1)?.text ? [] : told.slice(-1);
  const isNew = (count, alike) => alike(told.slice(0, told.length - count), before.told);
  for (let count = played > 1 ? played : 0; count < told.length; count++) if (isNew(count, endAlike)) return told.slice(-count || told.length);
  const isEnd = ended && ended !== before.ended; // its move may have no line of its own
  for (let count = isEnd ? 0 : played; count < told.length; count++) if (isNew(count, lastAlike)) return told.slice(-count || told.length);
  return told;
}

// Who did what is compared, not the cards: a log may forget those that a player may no longer look up.
const deed = ({ text }) => text.split(" ", 2).join(" ");

// The end of a hand comes to the log only when it is no longer news.
function endAlike(lines, others) {
  const [one, other] = [lines, others].map((all) => all.filter(({ isHandEnd }) => !isHandEnd).map(deed));
  const length = Math.min(one.length, other.length);
  return length >= Math.min(2, other.length) && length > 0 && one.slice(-length).join() === other.slice(-length).join();
}

// A log may also forget whole tricks; then the last line has to do.
function lastAlike(lines, others) {
  return others.length > 0 && deed(lines.at(-1)) === deed(others.at(-1));
}

// A card that was in sight is named by the move that took it; one of the stock never is, but in a double pack its twin may be.
function newCards(now, before, texts, isDealt) {
  const isTold = ([id, name]) => before.seen.has(id) && texts.some((text) => text.includes(name));
  const fresh = [...now.cards].filter((card) => !before.cards.has(card[0]) && !isTold(card));
  const names = (cards) => [...cards].map(([, name]) => name).join(", ");
  if (isDealt || (fresh.length && fresh.length === now.cards.size)) return now.cards.size ? [`Your hand: ${names(now.cards)}.`] : [];
  return fresh.length ? [`New in your hand: ${names(fresh)}.`] : [];
}
