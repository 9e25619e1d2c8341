// Samples that are added, moved and removed on the curve. The server is told, and draws anew;
// while a sample is dragged the prediction follows it as fast as the server answers.

import { element } from "./format.js";

const STILL = 3; // pixels that a press may move and still be a click
const TWICE = 400; // milliseconds between the two clicks that remove a sample
const PATIENCE = 1500; // milliseconds after which a sample that was not taken goes back

const REACH = { mouse: 9, pen: 12, touch: 22 }; // pixels around a sample

export function pointEditing(curve, points, page, tooltip, redraw) {
  const { state } = page;
  let acts = []; // what the server offers
  let why = "";
  let dragged = null; // { i, from, to, x, y, moved, asked }
  let selected = null; // the sample that a click has chosen
  let clicked = { i: null, time: 0 };
  let toAdd = null; // the sample that a click would add, where clicks add
  let late = 0;
  page.onStop(() => clearTimeout(late));
  const can = (act) => acts.includes(act);
  const tell = (act, from, to) => page.setTriggerValue("edit", { do: act, ...(from && { from }), ...(to && { to }) });
  const placeOf = (i) => points[i].slice(0, 2);
  const under = (event) =>
    can("move") ? curve.pointAt(event.offsetX, event.offsetY, REACH[event.pointerType] ?? REACH.mouse) : null;
  const say = ({ x, y }, words = "") => {
    const top = curve.toY(y);
    tooltip.show(`${words}x ${x} · y ${y}`, curve.svg, curve.toX(x), top < 60 ? top + 60 : top); // never over the dot
  };

  // Buttons.
  const button = (name, title, act) => {
    const made = element("button", { type: "button", title }, name);
    made.addEventListener("click", act);
    return made;
  };
  const [left, right] = ["left", "right"].map((side) =>
    element("div", { class: `offers ${side}`, "data-control": "" })
  );
  const refresh = () => {
    const words = why || (can("move") ? "Drag a point to move it." : "");
    left.replaceChildren(can("reset") ? button("Reset points", "Take all changes back", () => tell("reset")) : words);
    right.replaceChildren(...(selected !== null && can("remove") ? [removal()] : can("add") ? [addition()] : []));
    curve.grip(can("move"));
  };
  const removal = () => button("Remove point", "Remove the chosen point (Delete)", () => remove(selected));
  const addition = () => {
    const add = button("+ Add points", "Click into the picture to add points", () => {
      state.adding = !state.adding;
      add.setAttribute("aria-pressed", state.adding);
    });
    add.setAttribute("aria-pressed", Boolean(state.adding));
    return add;
  };

  const select = (i) => {
    if (i === selected) return;
    curve.select(selected = i);
    refresh();
  };
  const remove = (i) => {
    select(null);
    if (i !== null && can("remove")) tell("remove", placeOf(i));
  };

  // Ask for the prediction with the sample where it is now, one question at a time.
  const ask = () => {
    if (dragged.asked || !dragged.to) return;
    dragged.asked = dragged.to;
    tell("try", dragged.from, [dragged.to.x, dragged.to.y]);
  };
  const giveUp = () => {
    if (dragged) curve.movePoint(dragged.i, null);
    dragged = null;
    tooltip.hide();
    redraw();
  };

  const editing = {
    nodes: [left, right],
    offered: (told) => {
      if (acts.join() === told.offers.join() && why === told.why) return;
      [acts, why] = [told.offers, told.why];
      state.adding = Boolean(state.adding) && can("add");
      refresh();
    },
    // The prediction with the dragged sample has come.
    answered: (values) => {
      if (!dragged) return;
      curve.draw(values);
      const next = dragged.to !== dragged.asked;
      dragged.asked = null;
      if (next && !late) ask();
    },
    adding: () => state.adding,
    toAdd: () => toAdd,
    announce: () => say(toAdd, "click to add "),
    busy: () => dragged?.moved,
    hovered: (event) => {
      const at = state.adding ? curve.sampleAt(Math.round(event.offsetX), Math.round(event.offsetY)) : null;
      if (at || toAdd) curve.announce(toAdd = at);
    },
    left: () => toAdd && curve.announce(toAdd = null),

    pressed: (event) => {
      const i = event.button ? null : under(event);
      if (i === null || dragged) return;
      dragged = { i, from: placeOf(i), to: null, x: event.offsetX, y: event.offsetY, moved: false, asked: null };
      curve.svg.setPointerCapture(event.pointerId);
    },
    // Whether a sample was moved by this, so that it is no hovering.
    moved: (event) => {
      if (!dragged || late) return Boolean(dragged);
      const { offsetX: x, offsetY: y } = event;
      dragged.moved ||= Math.hypot(x - dragged.x, y - dragged.y) > STILL;
      if (!dragged.moved) return true;
      dragged.to = curve.sampleAt(...curve.within(Math.round(x), Math.round(y))) ?? dragged.to;
      if (!dragged.to) return true;
      curve.movePoint(dragged.i, dragged.to);
      say(dragged.to);
      ask();
      return true;
    },
    released: () => {
      if (!dragged || late) return;
      if (!dragged.to) dragged = null;
      else {
        select(null);
        tooltip.hide();
        tell("move", dragged.from, [dragged.to.x, dragged.to.y]);
        late = setTimeout(() => {
          late = 0;
          giveUp();
        }, PATIENCE);
      }
    },
    // A finger on a sample does not scroll the page.
    held: (event) => dragged && event.preventDefault(),
    givenUp: () => dragged && !late && giveUp(),
    // Whether a click was about a sample.
    clicked: (event) => {
      if (dragged) return true; // the end of a drag
      if (state.adding) {
        const at = curve.sampleAt(Math.round(event.offsetX), Math.round(event.offsetY));
        if (!at) return true;
        curve.announce(at); // a finger does not hover; the dot stays until the server has drawn the sample
        tell("add", null, [at.x, at.y]);
        return true;
      }
      const i = under(event);
      const again = i !== null && i === clicked.i && event.timeStamp - clicked.time < TWICE;
      clicked = { i, time: event.timeStamp };
      if (again) remove(i);
      else select(i);
      if (i !== null) say({ x: points[i][0], y: points[i][1] });
      return i !== null;
    },
    // Whether a key was about a sample.
    typed: (event) => {
      if (event.key === "Escape" && (dragged || selected !== null)) {
        editing.givenUp();
        select(null);
      } else if ((event.key === "Delete" || event.key === "Backspace") && selected !== null) remove(selected);
      else return false;
      event.preventDefault();
      return true;
    },
  };
  return editing;
}
