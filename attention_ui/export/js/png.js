// The picture as a PNG, made by plotly in the browser: the button presses the chart's own camera, which is not shown.

import { mount } from "../../pictures/js/mount.js";
import { cameraOf } from "../../pictures/js/streamlit.js";

export default mount(({ place: button, data, listen }) => {
  const press = () => {
    const camera = cameraOf(data.chart);
    if (camera) camera.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else if (button.isConnected) requestAnimationFrame(press); // plotly is still on its way
  };
  listen(button, "click", press);
});
