// Small SVG plots: logarithmic seconds, lines or points, with tooltips and clicks.
const MARGIN = { left: 56, right: 14, top: 10, bottom: 40 };
const COLOURS = ["#2f7ed8", "#d1495b", "#3a9d5d", "#c98a00", "#8e5bbf", "#0093a8", "#c2571a", "#808890", "#c0509a", "#6d8f00"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
const tip = document.querySelector("#tip");

function lineStyle(number) {
  return { colour: COLOURS[number % COLOURS.length], dash: DASHES[Math.floor(number / COLOURS.length) % DASHES.length] };
}

function element(name, attributes, parent, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) { node.setAttribute(key, value); }
  if (text !== undefined) { node.textContent = text; }
  if (parent) { parent.append(node); }
  return node;
}

// Scales map the numbers from min to max to coordinates between start and end.
function logarithmic(min, max, start, end) {
  const low = Math.log10(min), high = Math.log10(Math.max(max, min * 10));
  const position = (number) => start + (end - start) * (Math.log10(Math.max(number, min)) - low) / (high - low);
  const ticks = [];
  // Below two decades, powers of ten would be too few ticks.
  for (let power = Math.floor(low); power <= high + 1e-9; power += 1) {
    ticks.push(...(high - low < 2 ? [1, 2, 5] : [1]).map((k) => k * 10 ** power));
  }
  return { position, ticks: ticks.filter((tick) => tick >= min * 0.999 && Math.log10(tick) <= high + 1e-9) };
}

function linear(min, max, start, end) {
  const span = Math.max(max - min, 1);
  const rough = span / 8, power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough));
  const ticks = [];
  for (let tick = Math.ceil(min / step) * step; tick <= max; tick += step) { ticks.push(tick); }
  return { position: (number) => start + (end - start) * (number - min) / span, ticks };
}

// Letters keep their size on a narrow screen, so a plot is drawn as wide as its container.
function plotSize(container) {
  const width = Math.max(320, Math.min(1080, container.clientWidth || 900));
  return [width, Math.max(300, Math.round(width * 0.42))];
}

function newPlot(container, label, width, height) {
  container.replaceChildren();
  return element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, container);
}

function axes(svg, horizontal, vertical, width, height, names) {
  const bottom = height - MARGIN.bottom, right = width - MARGIN.right;
  const label = (tick) => tick >= 1e5 || (tick && tick < 0.001) ? tick.toExponential(0) : String(Number(tick.toPrecision(6)));
  for (const tick of vertical.ticks) {
    const y = vertical.position(tick).toFixed(1);
    element("path", { d: `M${MARGIN.left} ${y}H${right}`, class: "rule" }, svg);
    element("text", { x: MARGIN.left - 6, y: Number(y) + 4, "text-anchor": "end" }, svg, label(tick));
  }
  for (const tick of horizontal.ticks) {
    const x = horizontal.position(tick).toFixed(1);
    element("path", { d: `M${x} ${MARGIN.top}V${bottom}`, class: "rule" }, svg);
    element("text", { x, y: bottom + 15, "text-anchor": "middle" }, svg, label(tick));
  }
  element("path", { d: `M${MARGIN.left} ${MARGIN.top}V${bottom}H${right}`, class: "axis", fill: "none" }, svg);
  element("text", { x: (MARGIN.left + right) / 2, y: height - 6, "text-anchor": "middle" }, svg, names[0]);
  element("text", { x: 12, y: (MARGIN.top + bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${(MARGIN.top + bottom) / 2})` }, svg, names[1]);
}

// Show the tooltip of the nearest point, and open its instance by a click. Points are {x, y, describe, instance}.
function addTooltips(svg, points, width, open) {
  const halo = element("circle", { r: 6, class: "halo", visibility: "hidden" }, svg);
  let nearest = null;
  function find(event) {
    const box = svg.getBoundingClientRect(), scale = width / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    let minDistance = (24 * scale) ** 2;
    nearest = null;
    for (const point of points) {
      const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (distance < minDistance) { minDistance = distance; nearest = point; }
    }
    halo.setAttribute("visibility", nearest ? "visible" : "hidden");
    tip.hidden = !nearest;
    if (!nearest) { return; }
    halo.setAttribute("cx", nearest.x);
    halo.setAttribute("cy", nearest.y);
    tip.textContent = nearest.describe();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.max(4, Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8))}px`;
  }
  svg.addEventListener("pointermove", find);
  svg.addEventListener("pointerleave", () => { tip.hidden = true; halo.setAttribute("visibility", "hidden"); });
  svg.addEventListener("click", (event) => {
    find(event);
    if (nearest && nearest.instance !== undefined) { tip.hidden = true; open(nearest.instance); }
  });
}

// Fill a legend with switches and draw the visible names; at first the first ten are visible.
function legend(container, names, draw) {
  const visible = new Set(names.slice(0, 10));
  container.replaceChildren();
  names.forEach((name, number) => {
    const button = document.createElement("button");
    button.type = "button";
    const line = document.createElement("i");
    const style = lineStyle(number);
    line.style.background = style.dash ? `repeating-linear-gradient(90deg, ${style.colour} 0 5px, transparent 5px 8px)` : style.colour;
    button.append(line, name);
    button.setAttribute("aria-pressed", visible.has(name));
    button.addEventListener("click", () => {
      if (!visible.delete(name)) { visible.add(name); }
      button.setAttribute("aria-pressed", visible.has(name));
      draw(visible);
    });
    container.append(button);
  });
  draw(visible);
}
