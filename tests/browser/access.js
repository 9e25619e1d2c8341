// What axe cannot measure: words drawn in a picture (axe leaves them undecided), numbers in its text, and focus rings.
// Needs axe on the page, for its arithmetic of colours.
(() => {
  const { Color, flattenColors, getContrast } = axe.commons.color;
  const everything = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? everything(node.shadowRoot) : [])]);
  const above = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const chain = (node) => (node ? [node, ...chain(above(node))] : []);

  const WHITE = new Color(255, 255, 255, 1);
  const colourOf = (css, share = 1) => {
    const colour = new Color();
    colour.parseString(css);
    colour.alpha *= share;
    return colour;
  };
  const opacity = (node) => chain(node).reduce((share, one) => share * +getComputedStyle(one).opacity, 1);

  // What is painted behind an element by the boxes around it; null where that is a picture or a pattern.
  const backgroundOf = (node) => {
    const layers = [];
    for (const one of chain(node)) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== "none") return null;
      layers.push(colourOf(style.backgroundColor, opacity(one)));
      if (layers.at(-1).alpha === 1) break;
    }
    return layers.reverse().reduce((below, layer) => flattenColors(layer, below), WHITE);
  };
  // Text in a drawing stands on the shapes that were drawn before it.
  const behindText = (text, box) => {
    const svg = text.closest("svg");
    const outer = svg.ownerSVGElement ?? svg;
    const style = getComputedStyle(text);
    let colour = backgroundOf(outer);
    if (style.paintOrder.startsWith("stroke") && parseFloat(style.strokeWidth) >= 3 && style.stroke !== "none") return flattenColors(colourOf(style.stroke), colour ?? WHITE);
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
      colour = flattenColors(colourOf(drawn.fill, +drawn.fillOpacity * opacity(shape)), colour ?? WHITE);
    }
    return colour;
  };
  const faint = () =>
    everything(document.body).filter((node) => node.matches("text, tspan")).flatMap((node) => {
      const words = [...node.childNodes].find((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
      const style = getComputedStyle(node);
      if (!words || !node.getClientRects().length || style.visibility === "hidden" || node.closest("[data-stale=true]")) return [];
      const range = document.createRange();
      range.selectNodeContents(words);
      const box = range.getBoundingClientRect();
      const behind = box.width < 2 || box.height < 2 ? null : behindText(node, box);
      const ink = colourOf(style.fill, opacity(node) * +style.fillOpacity);
      if (!behind || ink.alpha < 0.02) return [];
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
      const ratio = getContrast(behind, ink);
      const where = chain(node).flatMap((one) => [...one.classList].filter((name) => name.startsWith("st-key-")))[0] ?? "";
      return ratio < (large ? 3 : 4.5) ? [{ text: words.data.trim().slice(0, 40), ratio, ink: ink.toHexString(), behind: behind.toHexString(), size, where }] : [];
    });

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
    const behind = backgroundOf(above(node)) ?? WHITE;
    const shapes = [...node.querySelectorAll("rect, circle, path")].map((shape) => getComputedStyle(shape)).filter(({ stroke }) => stroke !== "none");
    const rings = [
      ...(style.outlineStyle === "none" ? [] : [[parseFloat(style.outlineWidth), style.outlineColor]]),
      ...(node instanceof SVGGElement ? shapes.map(({ stroke, strokeWidth }) => [parseFloat(strokeWidth), stroke]) : []),
    ];
    return rings.map(([width, colour]) => ({ width, contrast: getContrast(behind, colourOf(colour)) })).sort((a, b) => b.width - a.width)[0] ?? { width: 0, contrast: 1 };
  };
  const visited = []; // in the order of the Tab key
  // After one press of Tab: where we are, how many presses ago we were here (0: never), and its ring if it is ours.
  const stepped = () => {
    const node = focused();
    if (!node || node === document.body) return { where: "", ours: false, again: 0, beside: true, tool: false };
    const again = visited.includes(node) ? visited.length - visited.indexOf(node) : 0;
    visited.push(node);
    const host = node.getRootNode().host;
    const mine = Boolean(host?.matches("[data-testid=stBidiComponentIsolated]"));
    const where = `${mine ? keyOf(host) : ""} ${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""} ${node.getAttribute("aria-label") ?? ""}`.slice(0, 120);
    const stands = (part) => chain(node).some((one) => one.matches(part));
    const [beside, tool] = ["[data-testid=stSidebar]", ".st-key-tools"].map(stands);
    return { where, ours: mine, again, beside, tool, left: node.getBoundingClientRect().left, ring: mine ? ringOf(node) : null };
  };

  // Whether another view has been put on the page since we began to watch, and has come to rest.
  const app = document.querySelector("[data-testid=stApp]");
  const main = document.querySelector("[data-testid=stMain]");
  let changed = null;
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => !target.closest("[class*=_tab]"))) changed = performance.now();
  }).observe(main, { childList: true, subtree: true });
  const watch = () => (changed = null);

  // What should stand in the first screen, and ends below it: the main picture (its numbers may follow), its slider, the tabs.
  const low = () => {
    const picture = ours().find((host) => host.getBoundingClientRect().height > 40);
    const drawn = [...(picture?.shadowRoot.querySelectorAll("svg, canvas") ?? [])].filter((part) => part.getClientRects().length);
    const around = document.querySelectorAll("[class*='st-key-sticky_'], [class*='_tab'] [role=radiogroup]");
    const ends = [...drawn, ...around].map((part) => ({ part: part.getAttribute("class"), end: part.getBoundingClientRect().bottom }));
    return ends.filter(({ end }) => end > innerHeight + 1);
  };
  // Words that are cut by an edge of the screen; formulas, code and tables of data scroll by themselves.
  const cut = () =>
    everything(main).filter((node) => [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim()) && node.getClientRects().length)
      .filter((node) => !chain(node).some((one) => one.matches(".katex, pre, [data-testid=stDataFrame], style")))
      .map((node) => ({ words: node.textContent.trim().slice(0, 40), ...node.getBoundingClientRect().toJSON() }))
      .filter(({ width, left, right }) => width > 2 && (left < -1 || right > innerWidth + 1))
      .concat(main.scrollWidth > main.clientWidth + 1 ? [{ words: "the page scrolls sideways" }] : []);
  const ran = () => changed !== null && performance.now() - changed > 200 && app.dataset.testScriptState === "notRunning";
  globalThis.access = { cut, faint, low, mute, stepped, watch, ran };
})();
