// Chooses the browser's own time zone in a form, unless one is set; a start in the form stays the same moment.
const zone = document.getElementById("id_time_zone");
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const start = document.getElementById("id_starts_at");

function wallTime(moment) {
  const parts = new Intl.DateTimeFormat("sv", { timeZone: own, dateStyle: "short", timeStyle: "short" }).format(moment);
  return parts.replace(" ", "T");
}

if (zone && zone.value === "UTC" && own !== "UTC" && [...zone.options].some(({ value }) => value === own)) {
  zone.value = own;
  if (start?.value) start.value = wallTime(new Date(`${start.value}Z`));
}
