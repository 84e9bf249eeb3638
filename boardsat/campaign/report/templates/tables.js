// Tables that a click on a column header sorts, and that words filter.
function cellValue(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
}

function sortable(table) {
  const body = table.tBodies[0];
  const headers = [...table.tHead.rows[0].cells];
  function sortBy(column) {
    const descending = headers[column].getAttribute("aria-sort") === "ascending";
    headers.forEach((header) => header.removeAttribute("aria-sort"));
    headers[column].setAttribute("aria-sort", descending ? "descending" : "ascending");
    const compare = (a, b) => typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
    const rows = [...body.rows];
    rows.sort((a, b) => (descending ? -1 : 1) * compare(cellValue(a, column), cellValue(b, column)));
    body.append(...rows);
  }
  headers.forEach((header, column) => {
    const button = header.querySelector("button");
    if (button) { button.addEventListener("click", () => sortBy(column)); }
  });
}

function filterable(table, field, status) {
  const rows = [...table.tBodies[0].rows];
  function filterBy(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const content = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => content.includes(word));
    }
    const numVisible = rows.filter((row) => !row.hidden).length;
    status.textContent = `${numVisible} of ${rows.length} runs`;
  }
  field.addEventListener("input", (event) => filterBy(event.target.value));
  filterBy("");
}
