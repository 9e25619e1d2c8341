// What a page owes to everyone, measured in the browser: contrast, text alternatives, focus.
(() => {
  const everything = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? everything(node.shadowRoot) : [])]);
  const above = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const chain = (node) => (node ? [node, ...chain(above(node))] : []);

  // Any colour that CSS can write, as [red, green, blue, alpha].
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (css) => {
    if (!known.has(css)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      known.set(css, [r, g, b, a / 255]);
    }
    return known.get(css);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (bright + 0.05) / (dark + 0.05);
  };
  // Walked up once per element and measure, since a page has thousands of them.
  let seen = new Map();
  const around = (node) => {
    if (!node) return { opacity: 1, skipped: false };
    if (!seen.has(node)) {
      const [style, outer] = [getComputedStyle(node), around(above(node))];
      const skipped = outer.skipped || style.clipPath === "inset(50%)" || node.matches(SKIPPED);
      seen.set(node, { opacity: outer.opacity * +style.opacity, skipped });
    }
    return seen.get(node);
  };
  const opacity = (node) => around(node).opacity;
  const faded = ([r, g, b, a], share) => [r, g, b, a * share];

  // What is painted behind an element by the boxes around it; null where that is a picture or a pattern.
  const backgroundOf = (node, box = null) => {
    let layers = [];
    const beside = (one) => {
      const frame = one.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      return x < frame.left || x > frame.right || y < frame.top || y > frame.bottom;
    };
    let scrolled = false;
    for (const one of chain(node)) {
      const style = getComputedStyle(one);
      scrolled ||= ["auto", "scroll"].includes(style.overflowY); // what is scrolled away is outside and yet on it
      if (box && !scrolled && one !== node && beside(one)) continue; // it stands outside, as a slider's number does
      if (style.backgroundImage !== "none") return null;
      const colour = rgba(style.backgroundColor);
      if (colour[3]) layers = [...layers, faded(colour, one === node ? 1 : opacity(one))];
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  // Text in a drawing stands on the shapes that were drawn before it.
  const behindText = (text, box) => {
    const svg = text.closest("svg");
    const outer = svg.ownerSVGElement ?? svg;
    const style = getComputedStyle(text);
    if (style.paintOrder.startsWith("stroke") && parseFloat(style.strokeWidth) >= 3 && style.stroke !== "none") return over(rgba(style.stroke), backgroundOf(outer) ?? [255, 255, 255]);
    let colour = backgroundOf(outer);
    const spot = new DOMPoint(box.left + box.width / 2, box.top + box.height / 2);
    for (const shape of outer.querySelectorAll("rect, circle, path, image, ellipse, polygon")) {
      if (!(text.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_PRECEDING) || !shape.getClientRects().length) continue;
      const frame = shape.getBoundingClientRect();
      if (spot.x < frame.left || spot.x > frame.right || spot.y < frame.top || spot.y > frame.bottom) continue;
      if (shape.matches("image")) return null;
      const drawn = getComputedStyle(shape);
      if (drawn.fill === "none" || drawn.visibility === "hidden" || shape.closest("defs, clipPath, mask")) continue;
      if (drawn.fill.startsWith("url")) return null;
      if (!shape.isPointInFill(spot.matrixTransform(shape.getScreenCTM().inverse()))) continue;
      colour = over(faded(rgba(drawn.fill), +drawn.fillOpacity * opacity(shape)), colour ?? [255, 255, 255]);
    }
    return colour;
  };

  const SKIPPED = "[data-testid=stSlider]:has(input:disabled), :disabled, [aria-disabled=true], option, script, style, noscript, [data-stale=true], [data-testid=stStatusWidget]";
  const faint = () => {
    const found = [];
    seen = new Map();
    for (const node of everything(document.body)) {
      if (!node.getClientRects().length || ["SCRIPT", "STYLE", "OPTION", "TITLE", "DESC"].includes(node.tagName.toUpperCase())) continue;
      const words = [...node.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
      if (!words.length) continue;
      if (around(node).skipped) continue;
      const range = document.createRange();
      range.selectNodeContents(words[0]);
      const box = range.getBoundingClientRect();
      const style = getComputedStyle(node);
      const share = opacity(node);
      if (box.width < 2 || box.height < 2 || style.visibility === "hidden") continue;
      const drawn = node instanceof SVGElement;
      const behind = drawn ? behindText(node, box) : backgroundOf(node, box);
      if (!behind) continue;
      const colour = faded(rgba(drawn ? style.fill : style.color), share * (drawn ? +style.fillOpacity : 1));
      if (colour[3] < 0.02) continue; // room left by a formula
      const ink = over(colour, behind);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
      const ratio = contrast(ink, behind);
      if (ratio < (large ? 3 : 4.5)) {
        const where = chain(node).flatMap((one) => [...one.classList].filter((name) => name.startsWith("st-key-")))[0] ?? "";
        found.push({ text: words[0].data.trim().slice(0, 40), ratio: +ratio.toFixed(2), ink: ink.map(Math.round).join(), behind: behind.map(Math.round).join(), size, node: `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}`, where });
      }
    }
    return found;
  };

  // Pictures of our components: each says in words what it shows, with a number.
  const ours = () => [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")].filter((host) => host.shadowRoot && host.getClientRects().length);
  const keyOf = (host) => [...host.closest("[class*=st-key-]").classList].find((name) => name.startsWith("st-key-"));
  const PICTURES = "svg, canvas, [role=img], svg[role=group], .grids .flow";
  const EMBLEM = "st-key-home_picture_"; // of a chapter, beside its name and claim
  const inside = (node, selector) => chain(above(node)).some((one) => one.matches(selector));
  const mute = () => ours().filter((host) => !keyOf(host).startsWith(EMBLEM)).flatMap((host) =>
    [...host.shadowRoot.querySelectorAll(PICTURES)]
      .filter((node) => node.getClientRects().length && !chain(node).some((one) => one.matches("[aria-hidden=true]")))
      .filter((node) => !inside(node, "[role=img], svg[role=group], button") && !/\d/.test(node.getAttribute("aria-label") ?? ""))
      .map((node) => ({ where: keyOf(host), what: `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}`, label: node.getAttribute("aria-label") })));

  // The element that has the focus, and what shows it.
  const focused = () => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return node;
  };
  // How wide its ring is, and how well that stands out: an outline, or the outline of a shape in it.
  const ringOf = (node) => {
    const style = getComputedStyle(node);
    const behind = backgroundOf(above(node)) ?? [255, 255, 255];
    const shapes = [...node.querySelectorAll("rect, circle, path")].map((shape) => getComputedStyle(shape)).filter(({ stroke }) => stroke !== "none");
    const rings = [
      ...(style.outlineStyle === "none" ? [] : [[parseFloat(style.outlineWidth), style.outlineColor]]),
      ...(node instanceof SVGGElement ? shapes.map(({ stroke, strokeWidth }) => [parseFloat(strokeWidth), stroke]) : []),
    ];
    return rings.map(([width, colour]) => ({ width, contrast: contrast(over(rgba(colour), behind), behind) })).sort((a, b) => b.width - a.width)[0] ?? { width: 0, contrast: 1 };
  };
  const visited = []; // in the order of the Tab key
  // After one press of Tab: where we are, how many presses ago we were here (0: never), and its ring if it is ours.
  const stepped = () => {
    const node = focused();
    if (!node || node === document.body) return { where: "", ours: false, again: 0 };
    const again = visited.includes(node) ? visited.length - visited.indexOf(node) : 0;
    visited.push(node);
    const host = node.getRootNode().host;
    const mine = Boolean(host?.matches("[data-testid=stBidiComponentIsolated]"));
    const where = `${mine ? keyOf(host) : ""} ${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""} ${node.getAttribute("aria-label") ?? ""}`.slice(0, 120);
    return { where, ours: mine, again, ring: mine ? ringOf(node) : null };
  };

  // Whether another view has been put on the page since we began to watch, and has come to rest.
  const app = document.querySelector("[data-testid=stApp]");
  const main = document.querySelector("[data-testid=stMain]");
  let changed = null;
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => !target.closest("[class*=_tab]"))) changed = performance.now();
  }).observe(main, { childList: true, subtree: true });
  const watch = () => (changed = null);
  const ran = () => changed !== null && performance.now() - changed > 200 && app.dataset.testScriptState === "notRunning";
  globalThis.access = { faint, mute, stepped, watch, ran };
})();
