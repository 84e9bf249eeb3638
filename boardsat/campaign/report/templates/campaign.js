// Plots and list of instances of a campaign. The rankings are part of the HTML.
const data = JSON.parse(document.querySelector("#data").textContent);
const byId = (id) => document.querySelector(`#${id}`);
const instances = data.instances.map(
  ([name, family, encoding, question, shuffle, size, variables, clauses, title, command], number) =>
    ({ number, name, family, encoding, question, shuffle, size, variables, clauses, title, command, runs: [] }));
const solvers = data.solvers.map(([name, task, limit]) => ({ name, task, limit }));
// Median runs; seconds is null if unsolved.
const runs = data.runs.map(([i, s, seconds, status, numSolved, numRuns, minSeconds, maxSeconds, numBusy]) => {
  const run = { instance: instances[i], solver: solvers[s], seconds, status, numSolved, numRuns, minSeconds, maxSeconds, numBusy };
  run.instance.runs.push(run);
  return run;
});
const MIN_SECONDS = runs.reduce((min, run) => run.seconds ? Math.min(min, run.seconds) : min, Infinity);
// Beginning of time axes: a power of ten.
const AXIS_START = Number.isFinite(MIN_SECONDS) ? 10 ** Math.max(-3, Math.floor(Math.log10(MIN_SECONDS))) : 0.01;
const timeText = (seconds) => seconds === null ? "not solved" : `${seconds < 10 ? seconds.toPrecision(3) : seconds.toFixed(1)} s`;
const ANSWERS = { S: "SAT", U: "UNSAT" };
const answerText = (run) => run.seconds === null ? "" : ANSWERS[run.status];
const solverText = (solver) => solver.name + (solver.task === "count" ? " (count)" : "");

function setOptions(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

// Return the runs of each competitor by task, and the tasks that all competitors were given (as comparisons.py does).
function runsByTask(comparison) {
  const byName = new Map(comparison.names.map((name) => [name, new Map()]));
  for (const run of runs) {
    const { instance, solver } = run;
    if (solver.task !== comparison.task || (comparison.family && instance.family !== comparison.family)) { continue; }
    const question = `${instance.question}/${instance.shuffle}`;
    const [name, task] = {
      solvers: [solver.name, instance.number],
      encodings: [instance.encoding, `${question}/${solver.name}`],
      pairs: [instance.encoding + data.pair_separator + solver.name, question],
    }[comparison.kind];
    byName.get(name).set(task, run);
  }
  const taskMaps = [...byName.values()];
  const common = taskMaps.length ? [...taskMaps[0].keys()].filter((task) => taskMaps.every((tasks) => tasks.has(task))) : [];
  return { byName, common };
}

function maxLimit(selectedRuns) {
  return selectedRuns.reduce((max, run) => Math.max(max, run.solver.limit), AXIS_START);
}

function drawLine(svg, points, style) {
  const path = points.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("L");
  element("path", { d: `M${path}`, class: "line", stroke: style.colour, "stroke-dasharray": style.dash }, svg);
}

function drawCactus(comparison, { byName, common }, visible) {
  const [width, height] = plotSize(byId("cactus")), points = [];
  const lines = comparison.names.map((name) => common.map((task) => byName.get(name).get(task))
    .filter((run) => run.seconds !== null).sort((a, b) => a.seconds - b.seconds));
  const svg = newPlot(byId("cactus"), "tasks solved within a time", width, height);
  const maxSeconds = lines.reduce((max, line) => line.length ? Math.max(max, line[line.length - 1].seconds) : max, AXIS_START * 10);
  const horizontal = linear(0, Math.max(1, ...lines.map((line) => line.length)), MARGIN.left, width - MARGIN.right);
  const vertical = logarithmic(AXIS_START, maxSeconds * 1.1, height - MARGIN.bottom, MARGIN.top);
  axes(svg, horizontal, vertical, width, height, ["tasks solved", "seconds for each"]);
  lines.forEach((line, number) => {
    const name = comparison.names[number], style = lineStyle(number);
    if (!visible.has(name) || !line.length) { return; }
    const linePoints = line.map((run, index) => ({
      x: horizontal.position(index + 1), y: vertical.position(run.seconds), instance: run.instance,
      describe: () => `${name}\n${index + 1} solved within ${timeText(run.seconds)}\n${run.instance.name}`,
    }));
    drawLine(svg, linePoints, style);
    if (linePoints.length <= 60) {
      linePoints.forEach((point) => element("circle", { cx: point.x, cy: point.y, r: 2.5, fill: style.colour }, svg));
    }
    points.push(...linePoints);
  });
  addTooltips(svg, points, width, showInstance);
}

function drawScatter({ byName }, first, second) {
  const side = Math.min(520, plotSize(byId("scatter"))[0]), points = [];
  const firstRuns = byName.get(first), secondRuns = byName.get(second);
  const pairs = [...firstRuns.keys()].filter((task) => secondRuns.has(task)).map((task) => [firstRuns.get(task), secondRuns.get(task)]);
  const unsolved = maxLimit(pairs.flat()) * 1.5;
  const svg = newPlot(byId("scatter"), `${first} against ${second}`, side, side);
  const horizontal = logarithmic(AXIS_START, unsolved * 1.2, MARGIN.left, side - MARGIN.right);
  const vertical = logarithmic(AXIS_START, unsolved * 1.2, side - MARGIN.bottom, MARGIN.top);
  axes(svg, horizontal, vertical, side, side, [`${first}, seconds`, `${second}, seconds`]);
  const [left, right] = [AXIS_START, unsolved].map(horizontal.position);
  const [low, high] = [AXIS_START, unsolved].map(vertical.position);
  element("path", { d: `M${left} ${low}L${right} ${high}`, class: "axis" }, svg);
  element("path", { d: `M${left} ${high}H${right}V${low}`, class: "limit", fill: "none" }, svg);
  const wins = [0, 0];
  for (const [firstRun, secondRun] of pairs) {
    const [a, b] = [firstRun, secondRun].map((run) => run.seconds === null ? unsolved : run.seconds);
    if (a !== b) { wins[a < b ? 0 : 1] += 1; }
    const point = {
      x: horizontal.position(a), y: vertical.position(b), instance: firstRun.instance,
      describe: () => `${first}: ${timeText(firstRun.seconds)}\n${second}: ${timeText(secondRun.seconds)}\n${firstRun.instance.name}${
        firstRun.instance === secondRun.instance ? "" : `\n${secondRun.instance.name}`}`,
    };
    const isSolved = firstRun.seconds !== null && secondRun.seconds !== null;
    const kind = isSolved ? (firstRun.status === "S" ? "sat" : "unsat") : "neither";
    element("circle", { cx: point.x.toFixed(1), cy: point.y.toFixed(1), r: 3.5, class: kind }, svg);
    points.push(point);
  }
  byId("score").textContent = `${first} is faster on ${wins[0]}, ${second} on ${wins[1]} of ${pairs.length} tasks`;
  addTooltips(svg, points, side, showInstance);
}

// Draw the median time by size for each encoding; solver is a number, or "" for all solvers with the task of the first one.
function drawGrowth(family, solver, visible, encodings) {
  const [width, height] = plotSize(byId("growth")), points = [];
  const familyRuns = runs.filter((run) => run.instance.family === family && run.instance.size !== null &&
    (solver === "" ? run.solver.task === solvers[0].task : run.solver === solvers[Number(solver)]));
  const sizes = familyRuns.map((run) => run.instance.size);
  const svg = newPlot(byId("growth"), `growth of ${family}`, width, height);
  if (!familyRuns.length) { return; }
  const unsolved = maxLimit(familyRuns) * 1.5;
  const [minSize, maxSize] = sizes.reduce(([min, max], size) => [Math.min(min, size), Math.max(max, size)], [Infinity, -Infinity]);
  const isWide = maxSize > 1000 * Math.max(minSize, 1);
  const horizontal = (isWide ? logarithmic : linear)(isWide ? Math.max(minSize, 1) : minSize, maxSize, MARGIN.left + 8, width - MARGIN.right - 8);
  const vertical = logarithmic(AXIS_START, unsolved * 1.2, height - MARGIN.bottom, MARGIN.top);
  const sizeName = data.size_names[family];
  axes(svg, horizontal, vertical, width, height, [sizeName, "median seconds"]);
  element("path", { d: `M${MARGIN.left} ${vertical.position(unsolved)}H${width - MARGIN.right}`, class: "limit" }, svg);
  encodings.forEach((encoding, number) => {
    if (!visible.has(encoding)) { return; }
    const style = lineStyle(number), bySize = new Map();
    for (const run of familyRuns.filter((candidate) => candidate.instance.encoding === encoding)) {
      bySize.set(run.instance.size, [...(bySize.get(run.instance.size) || []), run]);
    }
    const line = [...bySize].sort(([a], [b]) => a - b).map(([size, sizeRuns]) => {
      const times = sizeRuns.map((run) => run.seconds === null ? Infinity : run.seconds).sort((a, b) => a - b);
      const median = times[Math.floor(times.length / 2)], numSolved = times.filter(Number.isFinite).length;
      return {
        x: horizontal.position(size), y: vertical.position(Math.min(median, unsolved)), isHollow: median === Infinity, instance: sizeRuns[0].instance,
        describe: () => `${encoding}, ${sizeName} = ${size}\n${timeText(Number.isFinite(median) ? median : null)}\n${numSolved} of ${times.length} solved`,
      };
    });
    drawLine(svg, line, style);
    for (const point of line) {
      element("circle", { cx: point.x, cy: point.y, r: 3.5, stroke: style.colour, fill: point.isHollow ? "var(--ground)" : style.colour }, svg);
    }
    points.push(...line);
  });
  addTooltips(svg, points, width, showInstance);
}

function showInstance(instance) {
  byId("instance-name").textContent = instance.name;
  const sizes = instance.clauses ? [`${instance.variables.toLocaleString("en")} variables`, `${instance.clauses.toLocaleString("en")} clauses`] : [];
  byId("instance-about").textContent = [instance.title, ...sizes].filter(Boolean).join(", ");
  byId("instance-command").textContent = instance.command;
  byId("instance-runs").replaceChildren(...instance.runs.map((run) => {
    const row = document.createElement("tr");
    // A penalty is twice the limit, rounded to four digits.
    const penaltyText = (seconds) => run.numSolved < run.numRuns && seconds >= run.solver.limit * 1.99 ? "not solved" : timeText(seconds);
    const cells = [solverText(run.solver), answerText(run), timeText(run.seconds), `${run.numSolved}/${run.numRuns}`,
      penaltyText(run.minSeconds), penaltyText(run.maxSeconds), ...(data.busy ? [`${run.numBusy}/${run.numRuns}`] : [])];
    cells.forEach((text, column) => {
      const cell = row.insertCell();
      cell.textContent = text;
      if (column > 1) { cell.className = "number"; }
    });
    return row;
  }));
  byId("instance").showModal();
}

const MAX_ROWS = 200;
function listInstances(filterText) {
  const words = filterText.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = instances.filter((instance) => {
    const content = `${instance.name} ${instance.family} ${instance.encoding}`.toLowerCase();
    return words.every((word) => content.includes(word));
  });
  byId("instances").tBodies[0].replaceChildren(...matches.slice(0, MAX_ROWS).map((instance) => {
    const row = document.createElement("tr");
    const name = document.createElement("button");
    name.type = "button";
    name.textContent = instance.name;
    row.insertCell().append(name);
    const solved = instance.runs.filter((run) => run.seconds !== null);
    const minSeconds = solved.length ? Math.min(...solved.map((run) => run.seconds)) : null;
    for (const text of [instance.encoding, solved.length ? answerText(solved[0]) : ""]) { row.insertCell().textContent = text; }
    for (const text of [instance.clauses.toLocaleString("en"), `${solved.length}/${instance.runs.length}`, timeText(minSeconds)]) {
      const cell = row.insertCell();
      cell.className = "number";
      cell.textContent = text;
    }
    row.addEventListener("click", () => showInstance(instance));
    return row;
  }));
  const sampling = data.step > 1 ? `; plots and list have one of ${data.step} of all ${data.num_instances.toLocaleString("en")}` : "";
  byId("shown").textContent = `${Math.min(matches.length, MAX_ROWS)} of ${matches.length.toLocaleString("en")} instances${sampling}`;
}

function addHeaders(table, names) {
  const row = table.tHead.insertRow();
  names.forEach((name, column) => {
    const cell = document.createElement("th");
    cell.textContent = name;
    if (column > 2) { cell.className = "number"; }
    row.append(cell);
  });
}

function showComparison(number) {
  const comparison = data.comparisons[number], compared = runsByTask(comparison);
  document.querySelectorAll(".ranking").forEach((section) => { section.hidden = section.dataset.comparison !== String(number); });
  legend(byId("cactus-legend"), comparison.names, (visible) => drawCactus(comparison, compared, visible));
  const options = comparison.names.map((name) => [name, name]);
  setOptions(byId("first"), options);
  setOptions(byId("second"), options);
  byId("second").selectedIndex = Math.min(1, options.length - 1);
  const draw = () => drawScatter(compared, byId("first").value, byId("second").value);
  byId("first").onchange = byId("second").onchange = draw;
  draw();
}

function showGrowth() {
  const family = byId("family").value;
  const members = instances.filter((instance) => instance.family === family);
  const encodings = [...new Set(members.map((instance) => instance.encoding))];
  legend(byId("growth-legend"), encodings, (visible) => drawGrowth(family, byId("solver").value, visible, encodings));
}

document.querySelectorAll("table.sorted").forEach(sortable);
byId("comparison").addEventListener("change", (event) => showComparison(Number(event.target.value)));
setOptions(byId("family"), Object.keys(data.size_names).map((name) => [name, name]));
setOptions(byId("solver"), [["", "all solvers"], ...solvers.map((solver, number) => [number, solverText(solver)])]);
byId("family").addEventListener("change", showGrowth);
byId("solver").addEventListener("change", showGrowth);
byId("filter").addEventListener("input", (event) => listInstances(event.target.value));
addHeaders(byId("instances"), ["instance", "encoding", "answer", "clauses", "solved by", "fastest"]);
listInstances("");
showComparison(0);
showGrowth();
