// Where a component stands on the page: its key, and the theme's colours by their roles (attention_ui/palette.py).

function keyOf(place) {
  const home = (place.getRootNode().host ?? place).closest("[class*='st-key-']");
  return [...home.classList].find((name) => name.startsWith("st-key-")).slice(7);
}

function coloursOf(place) {
  const style = getComputedStyle(place);
  const list = (name) => style.getPropertyValue(name).split(/,(?![^(]*\))/).map((colour) => colour.trim());
  const [prediction, reference, truth, average, points, query] = list("--st-chart-categorical-colors");
  return { prediction, reference, truth, average, points, query, sequential: list("--st-chart-sequential-colors") };
}
