// A new event starts by the clock of whoever plans it: chooses the browser's own time zone, unless one is set.
const zone = document.getElementById("id_time_zone");
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const start = document.getElementById("id_starts_at");

function wallTime(moment) {
  const parts = new Intl.DateTimeFormat("sv", { timeZone: own, dateStyle: "short", timeStyle: "short" }).format(moment);
  return parts.replace(" ", "T");
}

if (zone && zone.value === "UTC" && own !== "UTC" && [...zone.options].some(({ value }) => value === own)) {
  zone.value = own;
  if (start.value) start.value = wallTime(new Date(`${start.value}Z`));
}
