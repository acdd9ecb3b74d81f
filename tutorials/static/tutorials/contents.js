// Marks in the table of contents the section that one is reading: the last whose heading has passed the upper third.
const links = [...document.querySelectorAll(".toc a")];
const headings = links.map((link) => document.getElementById(link.hash.slice(1)));

function mark() {
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3).length;
  links.forEach((link, number) => link.toggleAttribute("aria-current", number === passed - 1));
}

mark();
addEventListener("scroll", mark, { passive: true });
