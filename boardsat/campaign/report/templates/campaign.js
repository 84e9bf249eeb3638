// The plots and the instances of a campaign; the rankings stand in the page.
const data = JSON.parse(document.querySelector("#data").textContent);
const at = (id) => document.querySelector(`#${id}`);
const instances = data.instances.map(([name, family, way, asks, shuffle, size, variables, clauses, title, command], number) =>
  ({ number, name, family, way, asks, shuffle, size, variables, clauses, title, command, runs: [] }));
const solvers = data.solvers.map(([name, task, limit]) => ({ name, task, limit }));
const runs = data.cells.map(([i, s, seconds, status, right, all, least, most, busy]) => {
  const run = { instance: instances[i], solver: solvers[s], seconds, status, right, all, least, most, busy };
  run.instance.runs.push(run);
  return run;
});
const LEAST = runs.reduce((least, run) => run.seconds ? Math.min(least, run.seconds) : least, Infinity);
const FLOOR = Number.isFinite(LEAST) ? 10 ** Math.max(-3, Math.floor(Math.log10(LEAST))) : 0.01;
const seconds = (value) => value === null ? "not solved" : `${value < 10 ? value.toPrecision(3) : value.toFixed(1)} s`;
const ANSWERS = { S: "SAT", U: "UNSAT" };
const answer = (run) => run.seconds === null ? "" : ANSWERS[run.status];

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

// As in Python: who is compared, and on which tasks that all of them were given.
function compared(contest) {
  const by = new Map(contest.names.map((name) => [name, new Map()]));
  for (const run of runs) {
    const { instance, solver } = run;
    if (solver.task !== contest.task || (contest.family && instance.family !== contest.family)) { continue; }
    const question = `${instance.asks}/${instance.shuffle}`;
    const [name, task] = {
      solvers: [solver.name, instance.number],
      encodings: [instance.way, `${question}/${solver.name}`],
      pairs: [instance.way + data.between + solver.name, question],
    }[contest.kind];
    by.get(name).set(task, run);
  }
  const every = [...by.values()];
  const common = every.length ? [...every[0].keys()].filter((task) => every.every((mine) => mine.has(task))) : [];
  return { by, common };
}

function limitOf(some) { return some.reduce((most, run) => Math.max(most, run.solver.limit), FLOOR); }

function cactus(contest, { by, common }, on) {
  const [width, height] = roomOf(at("cactus")), points = [];
  const lines = contest.names.map((name) => common.map((task) => by.get(name).get(task))
    .filter((run) => run.seconds !== null).sort((a, b) => a.seconds - b.seconds));
  const svg = frame(at("cactus"), "tasks solved within a time", width, height);
  const most = lines.reduce((top, line) => line.length ? Math.max(top, line[line.length - 1].seconds) : top, FLOOR * 10);
  const across = linear(0, Math.max(1, ...lines.map((line) => line.length)), SPACE.left, width - SPACE.right);
  const up = logarithmic(FLOOR, most * 1.1, height - SPACE.bottom, SPACE.top);
  axes(svg, across, up, width, height, ["tasks solved", "seconds for each"]);
  lines.forEach((line, number) => {
    const name = contest.names[number], style = styleOf(number);
    if (!on.has(name) || !line.length) { return; }
    const mine = line.map((run, place) => ({
      x: across.place(place + 1), y: up.place(run.seconds), instance: run.instance,
      say: () => `${name}\n${place + 1} solved within ${seconds(run.seconds)}\n${run.instance.name}`,
    }));
    const path = mine.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("L");
    element("path", { d: `M${path}`, class: "line", stroke: style.colour, "stroke-dasharray": style.dash }, svg);
    if (mine.length <= 60) {
      mine.forEach((point) => element("circle", { cx: point.x, cy: point.y, r: 2.5, fill: style.colour }, svg));
    }
    points.push(...mine);
  });
  listen(svg, points, width, show);
}

function scatter({ by }, first, second) {
  const side = Math.min(520, roomOf(at("scatter"))[0]), points = [];
  const mine = by.get(first), theirs = by.get(second);
  const pairs = [...mine.keys()].filter((task) => theirs.has(task)).map((task) => [mine.get(task), theirs.get(task)]);
  const limit = limitOf(pairs.flat()), edge = limit * 1.5;
  const svg = frame(at("scatter"), `${first} against ${second}`, side, side);
  const across = logarithmic(FLOOR, edge * 1.2, SPACE.left, side - SPACE.right);
  const up = logarithmic(FLOOR, edge * 1.2, side - SPACE.bottom, SPACE.top);
  axes(svg, across, up, side, side, [`${first}, seconds`, `${second}, seconds`]);
  const [left, right, low, high] = [across.place(FLOOR), across.place(edge), up.place(FLOOR), up.place(edge)];
  element("path", { d: `M${left} ${low}L${right} ${high}`, class: "axis" }, svg);
  element("path", { d: `M${left} ${high}H${right}V${low}`, class: "limit", fill: "none" }, svg);
  const wins = [0, 0];
  for (const [one, other] of pairs) {
    const [a, b] = [one, other].map((run) => run.seconds === null ? edge : run.seconds);
    if (a !== b) { wins[a < b ? 0 : 1] += 1; }
    const point = {
      x: across.place(a), y: up.place(b), instance: one.instance,
      say: () => `${first}: ${seconds(one.seconds)}\n${second}: ${seconds(other.seconds)}\n${one.instance.name}${
        one.instance === other.instance ? "" : `\n${other.instance.name}`}`,
    };
    const both = one.seconds !== null && other.seconds !== null;
    const kind = both ? (one.status === "S" ? "sat" : "unsat") : "neither";
    element("circle", { cx: point.x.toFixed(1), cy: point.y.toFixed(1), r: 3.5, class: kind }, svg);
    points.push(point);
  }
  at("score").textContent = `${first} is quicker on ${wins[0]}, ${second} on ${wins[1]} of ${pairs.length}`;
  listen(svg, points, side, show);
}

function growth(family, by, on, names) {
  const [width, height] = roomOf(at("growth")), points = [];
  const mine = runs.filter((run) => run.instance.family === family && run.instance.size !== null &&
    (by === "" || run.solver === solvers[Number(by)]) && (by !== "" || run.solver.task === solvers[0].task));
  const sizes = mine.map((run) => run.instance.size);
  const svg = frame(at("growth"), `growth of ${family}`, width, height);
  if (!mine.length) { return; }
  const limit = limitOf(mine), edge = limit * 1.5;
  const [small, large] = sizes.reduce(([low, high], size) => [Math.min(low, size), Math.max(high, size)], [Infinity, -Infinity]);
  const wide = large > 1000 * Math.max(small, 1);
  const across = (wide ? logarithmic : linear)(wide ? Math.max(small, 1) : small, large, SPACE.left + 8, width - SPACE.right - 8);
  const up = logarithmic(FLOOR, edge * 1.2, height - SPACE.bottom, SPACE.top);
  axes(svg, across, up, width, height, [data.sizes[family], "median seconds"]);
  element("path", { d: `M${SPACE.left} ${up.place(edge)}H${width - SPACE.right}`, class: "limit" }, svg);
  names.forEach((way, number) => {
    if (!on.has(way)) { return; }
    const style = styleOf(number), groups = new Map();
    for (const run of mine.filter((each) => each.instance.way === way)) {
      groups.set(run.instance.size, [...(groups.get(run.instance.size) || []), run]);
    }
    const line = [...groups].sort(([a], [b]) => a - b).map(([size, group]) => {
      const times = group.map((run) => run.seconds === null ? Infinity : run.seconds).sort((a, b) => a - b);
      const middle = times[Math.floor(times.length / 2)], solved = times.filter(Number.isFinite).length;
      return {
        x: across.place(size), y: up.place(Math.min(middle, edge)), open: middle === Infinity, instance: group[0].instance,
        say: () => `${way}, ${data.sizes[family]} = ${size}\n${Number.isFinite(middle) ? seconds(middle) : "not solved"}\n${solved} of ${times.length} solved`,
      };
    });
    const path = line.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("L");
    element("path", { d: `M${path}`, class: "line", stroke: style.colour, "stroke-dasharray": style.dash }, svg);
    for (const point of line) {
      element("circle", { cx: point.x, cy: point.y, r: 3.5, stroke: style.colour, fill: point.open ? "var(--ground)" : style.colour }, svg);
    }
    points.push(...line);
  });
  listen(svg, points, width, show);
}

function show(instance) {
  at("instance-name").textContent = instance.name;
  const size = instance.clauses ? [`${instance.variables.toLocaleString("en")} variables`, `${instance.clauses.toLocaleString("en")} clauses`] : [];
  at("instance-about").textContent = [instance.title, ...size].filter(Boolean).join(", ");
  at("instance-command").textContent = instance.command;
  at("instance-runs").replaceChildren(...instance.runs.map((run) => {
    const row = document.createElement("tr");
    const penalty = (value) => run.right < run.all && value >= run.solver.limit * 1.99 ? "not solved" : seconds(value);
    const cells = [run.solver.name + (run.solver.task === "count" ? " (count)" : ""), answer(run), seconds(run.seconds),
      `${run.right}/${run.all}`, penalty(run.least), penalty(run.most), ...(data.busy ? [`${run.busy}/${run.all}`] : [])];
    cells.forEach((text, number) => {
      const cell = row.insertCell();
      cell.textContent = text;
      if (number > 1) { cell.className = "number"; }
    });
    return row;
  }));
  at("instance").showModal();
}

const MOST_ROWS = 200;
function list(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = instances.filter((instance) => {
    const content = `${instance.name} ${instance.family} ${instance.way}`.toLowerCase();
    return words.every((word) => content.includes(word));
  });
  at("instances").tBodies[0].replaceChildren(...found.slice(0, MOST_ROWS).map((instance) => {
    const row = document.createElement("tr");
    const name = document.createElement("button");
    name.type = "button";
    name.textContent = instance.name;
    row.insertCell().append(name);
    const first = instance.runs.find((run) => run.seconds !== null);
    const solved = instance.runs.filter((run) => run.seconds !== null).length;
    const best = instance.runs.reduce((least, run) => run.seconds !== null && (least === null || run.seconds < least) ? run.seconds : least, null);
    for (const text of [instance.way, first ? answer(first) : ""]) { row.insertCell().textContent = text; }
    for (const text of [instance.clauses.toLocaleString("en"), `${solved}/${instance.runs.length}`, seconds(best)]) {
      const cell = row.insertCell();
      cell.className = "number";
      cell.textContent = text;
    }
    row.addEventListener("click", () => show(instance));
    return row;
  }));
  const sample = data.step > 1 ? `; plots and list have every ${data.step}th of ${data.all.toLocaleString("en")}` : "";
  at("shown").textContent = `${Math.min(found.length, MOST_ROWS)} of ${found.length.toLocaleString("en")} instances${sample}`;
}

function head(table, names) {
  const row = table.tHead.insertRow();
  names.forEach((name, number) => {
    const cell = document.createElement("th");
    cell.textContent = name;
    if (number > 2) { cell.className = "number"; }
    row.append(cell);
  });
}

function choose(number) {
  const contest = data.contests[number], found = compared(contest);
  document.querySelectorAll(".ranking").forEach((each) => { each.hidden = each.dataset.contest !== String(number); });
  legend(at("cactus-legend"), contest.names, (on) => cactus(contest, found, on));
  const options = contest.names.map((name) => [name, name]);
  fill(at("first"), options);
  fill(at("second"), options);
  at("second").selectedIndex = Math.min(1, options.length - 1);
  const draw = () => scatter(found, at("first").value, at("second").value);
  at("first").onchange = at("second").onchange = draw;
  draw();
}

function grow() {
  const family = at("family").value;
  const names = [...new Set(instances.filter((each) => each.family === family).map((each) => each.way))];
  legend(at("growth-legend"), names, (on) => growth(family, at("by").value, on, names));
}

document.querySelectorAll("table.sorted").forEach(sortable);
at("contest").addEventListener("change", (event) => choose(Number(event.target.value)));
fill(at("family"), Object.keys(data.sizes).map((name) => [name, name]));
fill(at("by"), [["", "all solvers"], ...solvers.map((each, number) => [number, each.name + (each.task === "count" ? " (count)" : "")])]);
at("family").addEventListener("change", grow);
at("by").addEventListener("change", grow);
at("filter").addEventListener("input", (event) => list(event.target.value));
head(at("instances"), ["instance", "encoding", "answer", "clauses", "solved by", "best"]);
list("");
choose(0);
grow();
