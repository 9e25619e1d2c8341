// What is on the page right now: players, sliders and pictures, through the borders of our components.

const isShown = (found) => found.getClientRects().length > 0; // a lesson's link may hide a control

// In the order of the page, inside components too.
function everywhere(selector, within = document.querySelector("[data-testid=stMain]") ?? document.body) {
  const found = [...within.querySelectorAll("*")].flatMap((node) => [
    ...(node.matches(selector) ? [node] : []),
    ...(node.shadowRoot ? node.shadowRoot.querySelectorAll(selector) : []),
  ]);
  return found.filter(isShown);
}

const playButton = () => everywhere(".player .play")[0] ?? null;

// What a picture calls its main handle, else the first slider there is.
const mainSlider = () => everywhere("[data-main-slider]")[0] ?? everywhere("input[type=range]:enabled")[0] ?? null;

const regenerateButton = () => [...document.querySelectorAll("[class*='_regenerate'] button:enabled")].find(isShown) ?? null;

// Streamlit's own dialogs, and whatever else asks for all keys.
const dialogOpen = () => [...document.querySelectorAll("[role=dialog], [role=alertdialog], dialog[open]")].some(isShown);
