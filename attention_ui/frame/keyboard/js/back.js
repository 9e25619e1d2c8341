// Streamlit adds an address to the browser's history for every value that a page puts into its link, so that Back would
// walk through each position of a slider, and change nothing. Here Back leads to the page before, as it was left.
function oneStepPerPage() {
  if (history.pushState.perPage) return;
  const push = history.pushState.bind(history);
  const pathOf = (address) => new URL(address, location.href).pathname;
  let left = null; // the whole address when a link is clicked: on its way out Streamlit takes the widgets' values off
  addEventListener("click", (event) => event.composedPath().some((node) => node.matches?.("a[href]")) && (left = location.href), true);
  history.pushState = (state, title, address) => {
    if (!address || pathOf(address) === location.pathname) return history.replaceState(state, title, address);
    if (left && pathOf(left) === location.pathname) history.replaceState(history.state, "", left);
    left = null;
    return push(state, title, address);
  };
  history.pushState.perPage = true;
}
