// The picture as a PNG, made by plotly in the browser: the button presses the chart's own camera, which is not shown.

export default ({ data, parentElement }) => {
  const button = parentElement.querySelector("button");
  const press = () => {
    const camera = document.querySelector(`.st-key-${CSS.escape(data.chart)} .modebar-btn`);
    if (camera) camera.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else if (button.isConnected) requestAnimationFrame(press); // plotly is still on its way
  };
  button.onclick = press;
};
