// Streamlit adds an address to the browser's history for every value that a page puts into its link, so that Back would
// walk through each position of a slider, and change nothing. Here Back leads to the page before, as it was left.
function oneStepPerPage() {
  if (history.pushState.perPage) return;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, address) => {
    const leads = address ? new URL(address, location.href).pathname : location.pathname;
    return leads === location.pathname ? history.replaceState(state, title, address) : push(state, title, address);
  };
  history.pushState.perPage = true;
}
