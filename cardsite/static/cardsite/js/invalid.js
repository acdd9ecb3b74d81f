// A field that the browser refuses is shown before it is focused: the folds that it is in open.
function unfold({ target }) {
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

document.addEventListener("invalid", unfold, true);
