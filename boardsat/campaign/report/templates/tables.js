// Tables that are sorted by a click on a head, and filtered by words.
function valueOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
}

function sortable(table) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  function sortBy(column) {
    const down = heads[column].getAttribute("aria-sort") === "ascending";
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = (a, b) => typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
    const rows = [...body.rows];
    rows.sort((a, b) => (down ? -1 : 1) * order(valueOf(a, column), valueOf(b, column)));
    body.append(...rows);
  }
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (button) { button.addEventListener("click", () => sortBy(column)); }
  });
}

function filterable(table, field, shown) {
  const rows = [...table.tBodies[0].rows];
  function filterBy(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const content = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => content.includes(word));
    }
    const left = rows.filter((row) => !row.hidden).length;
    shown.textContent = `${left} of ${rows.length} runs`;
  }
  field.addEventListener("input", (event) => filterBy(event.target.value));
  filterBy("");
}
