// What a clock shows, the pure part of clock.js; the same as `games.domain.clocks.countdown`.
const [MINUTE, HOUR, DAY] = [60, 3600, 86400];

export function clockWords(left) {
  const of = (unit, within = Infinity) => Math.floor((left % within) / unit);
  if (left >= DAY) return `${of(DAY)} d ${of(HOUR, DAY)} h`;
  if (left >= 2 * HOUR) return `${of(HOUR)} h ${of(MINUTE, HOUR)} min`;
  return `${of(MINUTE)}:${String(left % MINUTE).padStart(2, "0")}`;
}
