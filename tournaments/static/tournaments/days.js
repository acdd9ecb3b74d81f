// Lists by days: a day begins where it does for the reader, not in UTC.
const dayOf = (moment) => new Date(moment).toDateString();

function regroup(list) {
  const model = list.querySelector(".calendar-date");
  if (!model) return;
  list.querySelectorAll(".calendar-date").forEach((head) => head.remove());
  let last = "";
  for (const item of list.querySelectorAll("[data-at]")) {
    const day = dayOf(item.dataset.at);
    if (day === last) continue;
    const head = model.cloneNode(true);
    const time = head.querySelector("time");
    time.dateTime = item.dataset.at;
    time.textContent = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" }).format(
      new Date(item.dataset.at),
    );
    item.before(head);
    last = day;
  }
}

const regroupAll = () => document.querySelectorAll("[data-days]").forEach(regroup);
document.addEventListener("htmx:afterSwap", regroupAll);
regroupAll();
