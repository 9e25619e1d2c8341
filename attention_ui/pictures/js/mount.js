// One way onto the page for every component: Streamlit calls its function again for new data and for a new theme.

import { coloursOf } from "./colours.js";
import { followSlider, keyOf } from "./streamlit.js";

const remembered = new WeakMap(); // by the element that a component stands in: what it knows from call to call

// What is on the page, by the same elements: export/js/sheet.js draws it once more on a sheet that is taken home.
export const onPage = () => (globalThis.attentionLabOnPage ??= new Map());

const updates = () => (globalThis.attentionLabUpdates ??= new Map()); // by key: the latest message, see update.js

// `make` draws the component with what `page` offers; whatever it begins here ends before the next call, or with the
// page.
export const mount = (make) =>
  function mounted(call) {
    const { parentElement, sheet } = call;
    const place = parentElement.querySelector("[data-place]");
    const state = remembered.get(parentElement) ?? sheet?.state ?? {};
    remembered.set(parentElement, state);
    state.stop?.();
    state.html ??= parentElement.innerHTML; // as it is before anything is drawn
    if (!sheet) onPage().set(parentElement, { mounted, call, state, place });
    const ends = [];
    state.stop = () => ends.splice(0).forEach((end) => end());

    const onStop = (end) => ends.push(end);
    const listen = (target, kind, act, capture = false) => {
      target.addEventListener(kind, act, capture);
      onStop(() => target.removeEventListener(kind, act, capture));
    };
    const latest = (key) => updates().get(key);
    const page = {
      ...call,
      place,
      state,
      onStop,
      listen,
      latest,
      key: sheet?.key ?? keyOf(place),
      again: () => mounted(call),
      colours: coloursOf(place),
      // `draw` before the next picture on the screen, however often it is asked for; false means that nothing was
      // drawn.
      drawing: (draw) => {
        let scheduled = 0;
        const now = () => {
          const begun = performance.now();
          if (draw() === false) return;
          place.dataset.draws = +(place.dataset.draws ?? 0) + 1;
          place.dataset.milliseconds = (performance.now() - begun).toFixed(2);
        };
        const next = () => {
          scheduled = 0;
          now();
        };
        onStop(() => cancelAnimationFrame(scheduled));
        sheet?.draws.push(now);
        return { now, soon: () => (scheduled ||= requestAnimationFrame(next)) };
      },
      // `act` once nothing has asked for it for so long.
      rested: (act, milliseconds = 250) => {
        let waiting = 0;
        onStop(() => clearTimeout(waiting));
        return () => {
          clearTimeout(waiting);
          waiting = setTimeout(act, milliseconds);
        };
      },
      resized: (act) => {
        if (sheet) return sheet.fits.push(act);
        const observer = new ResizeObserver(() => place.clientWidth && act()); // without a width it is off the page
        observer.observe(place);
        return onStop(() => observer.disconnect());
      },
      follow: (key, moved) => {
        if (sheet) return sheet.slider(key);
        const slider = followSlider(key, moved);
        onStop(slider.stop);
        return slider;
      },
      // A message to the component of this key: the one that is there, and each that comes.
      updated: (key, act) => {
        listen(globalThis, "attention-lab-update", (event) => event.detail === key && act(latest(key)));
        if (latest(key)) act(latest(key));
      },
    };
    make(page);
    return () => {
      state.stop();
      onPage().delete(parentElement);
    };
  };
