// Puts the browser's own time zone first in a form and chooses it, unless another one is set; a start in the form stays the same
// moment.
const zone = document.getElementById("id_time_zone");
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const start = document.querySelector("#id_starts_at, #id_first_start_at");

function wallTime(moment) {
  const parts = new Intl.DateTimeFormat("sv", { timeZone: own, dateStyle: "short", timeStyle: "short" }).format(moment);
  return parts.replace(" ", "T");
}

if (zone && zone.value === "UTC" && own !== "UTC") {
  const option = [...zone.options].find(({ value }) => value === own) ?? new Option(own.replaceAll("_", " "), own);
  zone.prepend(option);
  zone.value = own;
  if (start?.value) start.value = wallTime(new Date(`${start.value}Z`));
}
