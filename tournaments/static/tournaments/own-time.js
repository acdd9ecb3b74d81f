// Lets a director enter a UTC time, `<input type="datetime-local" data-utc>`, in his own zone.
// The field itself goes on to hold UTC, out of sight; another one before it shows and takes the local time.
const pad = (number) => String(number).padStart(2, "0");

function toLocal(utc) {
  const moment = new Date(`${utc}Z`);
  const day = [moment.getFullYear(), pad(moment.getMonth() + 1), pad(moment.getDate())].join("-");
  return `${day}T${pad(moment.getHours())}:${pad(moment.getMinutes())}`;
}

for (const utc of document.querySelectorAll("input[data-utc]")) {
  const own = utc.cloneNode();
  own.removeAttribute("name");
  own.autocomplete = "off";
  own.value = utc.value ? toLocal(utc.value) : "";
  own.addEventListener("input", () => { utc.value = own.value ? new Date(own.value).toISOString().slice(0, 16) : ""; });
  const label = document.querySelector(`label[for="${utc.id}"]`);
  label.textContent = label.textContent.replace("UTC", Intl.DateTimeFormat().resolvedOptions().timeZone);
  utc.removeAttribute("id");
  utc.before(own);
  utc.type = "hidden";
}
