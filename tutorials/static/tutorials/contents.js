// Marks in the table of contents the section that one is reading: the last whose heading has passed the upper third.
// Towards the end of the page that line moves down, because the last headings can't come up to it.
const links = [...document.querySelectorAll(".toc a")];
const headings = links.map((link) => document.getElementById(link.hash.slice(1)));

function mark() {
  const below = document.documentElement.getBoundingClientRect().bottom - innerHeight;
  const line = innerHeight - Math.min(Math.max(below, 0), (innerHeight * 2) / 3);
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < line).length;
  links.forEach((link, number) => (link.ariaCurrent = number === passed - 1 ? "true" : null));
}

mark();
addEventListener("scroll", mark, { passive: true });
