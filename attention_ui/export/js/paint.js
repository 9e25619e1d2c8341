// Colours, matrices and paths as a recording has them.

export const NONE = []; // no clips

const SRGB = /^color\(srgb /;

// A computed colour as { colour: [red, green, blue], alpha }; null where nothing is painted.
export function colourFrom(text, alpha = 1) {
  if (!text || text === "none" || text.startsWith("url")) return null;
  const numbers = (text.replace(SRGB, "").match(/-?[\d.]+(?:e-?\d+)?/g) ?? [0, 0, 0, 0]).map(Number);
  const [red, green, blue, own = 1] = SRGB.test(text) ? numbers.map((n, i) => (i < 3 ? 255 * n : n)) : numbers;
  const opacity = own * alpha;
  return opacity > 0.002 ? { colour: [red, green, blue].map(Math.round), alpha: opacity } : null;
}

export const moved = (x, y) => [1, 0, 0, 1, x, y];

// Where `matrix` puts a point.
export const placed = ([a, b, c, d, e, f], x, y) => [a * x + c * y + e, b * x + d * y + f];

// How much larger things become by it.
export const scaleOfMatrix = ([a, b, c, d]) => Math.sqrt(Math.abs(a * d - b * c));

export const short = (number) => String(+(+number).toFixed(2));

export function roundedPath(x, y, width, height, radius = 0) {
  const r = Math.min(radius, width / 2, height / 2);
  const [right, bottom] = [x + width, y + height];
  if (!(r > 0)) return `M${x},${y}H${right}V${bottom}H${x}Z`;
  const turn = (toX, toY) => `A${r},${r} 0 0 1 ${toX},${toY}`;
  return `M${x + r},${y}H${right - r}${turn(right, y + r)}V${bottom - r}${turn(right - r, bottom)}H${x + r}${
    turn(x, bottom - r)
  }V${y + r}${turn(x + r, y)}Z`;
}

export const ellipsePath = (x, y, rx, ry) =>
  `M${x - rx},${y}A${rx},${ry} 0 1 1 ${x + rx},${y}A${rx},${ry} 0 1 1 ${x - rx},${y}Z`;

const COUNT = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

// A path in absolute lines and cubic curves: [["M", x, y], ["L", x, y], ["C", ...], ["Z"]].
export function plainPath(d) {
  const made = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let [bendX, bendY, before] = [0, 0, ""]; // of the curve before, which a smooth one goes on from
  const curve = (x1, y1, x2, y2, toX, toY) => {
    made.push(["C", x1, y1, x2, y2, toX, toY]);
    [x, y] = [toX, toY];
  };
  const quadratic = (bx, by, toX, toY) => {
    [bendX, bendY] = [bx, by];
    curve(
      x + (2 / 3) * (bx - x),
      y + (2 / 3) * (by - y),
      toX + (2 / 3) * (bx - toX),
      toY + (2 / 3) * (by - toY),
      toX,
      toY,
    );
  };
  const act = (name, numbers, relative) => {
    const [dx, dy] = relative ? [x, y] : [0, 0];
    const n = numbers.map((number, i) => number + (i % 2 ? dy : dx));
    const smooth = (kinds) => (kinds.includes(before) ? [2 * x - bendX, 2 * y - bendY] : [x, y]);
    if (name === "m" || name === "l") {
      [x, y] = n;
      if (name === "m") [startX, startY] = n;
      made.push([name.toUpperCase(), x, y]);
    } else if (name === "h") made.push(["L", x = numbers[0] + dx, y]);
    else if (name === "v") made.push(["L", x, y = numbers[0] + dy]);
    else if (name === "c" || name === "s") {
      const [x1, y1, ...rest] = name === "c" ? n : [...smooth("cs"), ...n];
      [bendX, bendY] = rest;
      curve(x1, y1, ...rest);
    } else if (name === "q") quadratic(...n);
    else if (name === "t") quadratic(...smooth("qt"), ...n);
    else if (name === "a") {
      const [rx, ry, turn, large, sweep, toX, toY] = [...numbers.slice(0, 5), numbers[5] + dx, numbers[6] + dy];
      arcCurves(x, y, rx, ry, turn, large, sweep, toX, toY).forEach((each) => curve(...each));
    } else {
      made.push(["Z"]);
      [x, y] = [startX, startY];
    }
    before = name;
  };
  for (const [, letter, rest] of d.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const name = letter.toLowerCase();
    const numbers = numbersOf(rest, name);
    const count = COUNT[name];
    for (let at = 0; at < Math.max(1, numbers.length); at += count || 1) {
      const next = at && name === "m" ? "l" : name; // more points after a move are lines
      act(next, numbers.slice(at, at + count), letter === name);
    }
  }
  return made;
}

const NUMBER = /[\s,]*(-?(?:\d*\.\d+|\d+\.?)(?:e[-+]?\d+)?)/giy;
const FLAG = /[\s,]*([01])/y;

// The numbers behind a letter; the two flags of an arc need nothing between them.
function numbersOf(text, name) {
  const found = [];
  for (let at = 0; at < text.length;) {
    const kind = name === "a" && [3, 4].includes(found.length % 7) ? FLAG : NUMBER;
    kind.lastIndex = at;
    const match = kind.exec(text);
    if (!match) break;
    found.push(+match[1]);
    at = kind.lastIndex;
  }
  return found;
}

// An arc as cubic curves of at most a quarter turn (SVG 1.1, appendix F.6).
function arcCurves(x, y, rx, ry, turn, large, sweep, toX, toY) {
  if (!rx || !ry || (x === toX && y === toY)) return [[x, y, toX, toY, toX, toY]];
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [halfX, halfY] = [(x - toX) / 2, (y - toY) / 2];
  const [px, py] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX];
  const grown = Math.sqrt(Math.max(1, (px / rx) ** 2 + (py / ry) ** 2));
  const [a, b] = [Math.abs(rx) * grown, Math.abs(ry) * grown];
  const under = (a * b) ** 2 / ((a * py) ** 2 + (b * px) ** 2) - 1;
  const far = Math.sqrt(Math.max(0, under)) * (large === sweep ? -1 : 1);
  const [qx, qy] = [(far * a * py) / b, (-far * b * px) / a];
  const [middleX, middleY] = [cos * qx - sin * qy + (x + toX) / 2, sin * qx + cos * qy + (y + toY) / 2];
  const from = Math.atan2((py - qy) / b, (px - qx) / a);
  let span = Math.atan2((-py - qy) / b, (-px - qx) / a) - from;
  if (sweep && span < 0) span += 2 * Math.PI;
  if (!sweep && span > 0) span -= 2 * Math.PI;
  const count = Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9);
  const step = span / count;
  const bow = (4 / 3) * Math.tan(step / 4);
  const at = (u, v) => [middleX + cos * a * u - sin * b * v, middleY + sin * a * u + cos * b * v];
  return Array.from({ length: count }, (_, i) => {
    const [one, two] = [from + i * step, from + (i + 1) * step];
    const [c1, s1, c2, s2] = [Math.cos(one), Math.sin(one), Math.cos(two), Math.sin(two)];
    return [...at(c1 - bow * s1, s1 + bow * c1), ...at(c2 + bow * s2, s2 - bow * c2), ...at(c2, s2)];
  });
}
