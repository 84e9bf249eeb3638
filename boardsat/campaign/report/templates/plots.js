// Small plots in SVG: logarithmic seconds, lines or points, with hover and click.
const SPACE = { left: 56, right: 14, top: 10, bottom: 40 };
const COLOURS = ["#2f7ed8", "#d1495b", "#3a9d5d", "#c98a00", "#8e5bbf", "#0093a8", "#c2571a", "#808890", "#c0509a", "#6d8f00"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
const tip = document.querySelector("#tip");

function styleOf(place) {
  return { colour: COLOURS[place % COLOURS.length], dash: DASHES[Math.floor(place / COLOURS.length) % DASHES.length] };
}

function element(name, about, parent, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(about)) { made.setAttribute(key, value); }
  if (text !== undefined) { made.textContent = text; }
  if (parent) { parent.append(made); }
  return made;
}

function logarithmic(least, most, from, to) {
  const low = Math.log10(least), high = Math.log10(Math.max(most, least * 10));
  const place = (value) => from + (to - from) * (Math.log10(Math.max(value, least)) - low) / (high - low);
  const ticks = [];
  // Within two decades the powers of ten are too few.
  for (let power = Math.floor(low); power <= high + 1e-9; power += 1) {
    ticks.push(...(high - low < 2 ? [1, 2, 5] : [1]).map((k) => k * 10 ** power));
  }
  return { place, ticks: ticks.filter((tick) => tick >= least * 0.999 && Math.log10(tick) <= high + 1e-9) };
}

function linear(least, most, from, to) {
  const span = Math.max(most - least, 1);
  const rough = span / 8, power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough));
  const ticks = [];
  for (let tick = Math.ceil(least / step) * step; tick <= most; tick += step) { ticks.push(tick); }
  return { place: (value) => from + (to - from) * (value - least) / span, ticks };
}

// Letters keep their size on a narrow screen, so the drawing is as wide as its place.
function roomOf(place) {
  const width = Math.max(320, Math.min(1080, place.clientWidth || 900));
  return [width, Math.max(300, Math.round(width * 0.42))];
}

function frame(place, label, width, height) {
  place.replaceChildren();
  return element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, place);
}

function axes(svg, across, up, width, height, names) {
  const bottom = height - SPACE.bottom, right = width - SPACE.right;
  const said = (tick) => tick >= 1e5 || (tick && tick < 0.001) ? tick.toExponential(0) : String(Number(tick.toPrecision(6)));
  for (const tick of up.ticks) {
    const y = up.place(tick).toFixed(1);
    element("path", { d: `M${SPACE.left} ${y}H${right}`, class: "rule" }, svg);
    element("text", { x: SPACE.left - 6, y: Number(y) + 4, "text-anchor": "end" }, svg, said(tick));
  }
  for (const tick of across.ticks) {
    const x = across.place(tick).toFixed(1);
    element("path", { d: `M${x} ${SPACE.top}V${bottom}`, class: "rule" }, svg);
    element("text", { x, y: bottom + 15, "text-anchor": "middle" }, svg, said(tick));
  }
  element("path", { d: `M${SPACE.left} ${SPACE.top}V${bottom}H${right}`, class: "axis", fill: "none" }, svg);
  element("text", { x: (SPACE.left + right) / 2, y: height - 6, "text-anchor": "middle" }, svg, names[0]);
  element("text", { x: 12, y: (SPACE.top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${(SPACE.top + bottom) / 2})` }, svg, names[1]);
}

// Points are {x, y, say, instance}, in units of the drawing; the nearest one is told, and opened by a click.
function listen(svg, points, width, open) {
  const halo = element("circle", { r: 6, class: "halo", visibility: "hidden" }, svg);
  let near = null;
  function find(event) {
    const box = svg.getBoundingClientRect(), scale = width / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    let best = (24 * scale) ** 2;
    near = null;
    for (const point of points) {
      const far = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (far < best) { best = far; near = point; }
    }
    halo.setAttribute("visibility", near ? "visible" : "hidden");
    tip.hidden = !near;
    if (!near) { return; }
    halo.setAttribute("cx", near.x);
    halo.setAttribute("cy", near.y);
    tip.textContent = near.say();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.max(4, Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8))}px`;
  }
  svg.addEventListener("pointermove", find);
  svg.addEventListener("pointerleave", () => { tip.hidden = true; halo.setAttribute("visibility", "hidden"); });
  svg.addEventListener("click", (event) => {
    find(event);
    if (near && near.instance !== undefined) { tip.hidden = true; open(near.instance); }
  });
}

// A legend whose entries are switched on and off; those beyond the first ten begin off.
function legend(place, names, changed) {
  const on = new Set(names.slice(0, 10));
  place.replaceChildren();
  names.forEach((name, number) => {
    const button = document.createElement("button");
    button.type = "button";
    const line = document.createElement("i");
    const style = styleOf(number);
    line.style.background = style.dash ? `repeating-linear-gradient(90deg, ${style.colour} 0 5px, transparent 5px 8px)` : style.colour;
    button.append(line, name);
    button.setAttribute("aria-pressed", on.has(name));
    button.addEventListener("click", () => {
      if (!on.delete(name)) { on.add(name); }
      button.setAttribute("aria-pressed", on.has(name));
      changed(on);
    });
    place.append(button);
  });
  changed(on);
}
