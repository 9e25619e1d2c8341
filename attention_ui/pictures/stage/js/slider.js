// Follow a native Streamlit slider while it is dragged: it tells the server nothing before it is released.

// The inner input is an implementation detail: where it is missing, the stage moves on commit instead.
function followSlider(key, moved) {
  let found = null;
  const input = () => (found?.isConnected ? found : (found = document.querySelector(`.st-key-${CSS.escape(key)} input[type=range]`)));
  const observer = new MutationObserver(moved);
  let watched = null;
  const attach = () => {
    if (watched?.isConnected) return;
    const home = document.querySelector(`.st-key-${CSS.escape(key)}`);
    if (home === watched) return;
    observer.disconnect();
    watched = home;
    home && observer.observe(home, { subtree: true, childList: true, attributes: true, attributeFilter: ["value", "aria-valuetext"] });
  };
  return {
    attach,
    position: () => {
      attach();
      return input() ? +input().value : null;
    },
    stop: () => observer.disconnect(),
  };
}
