// In the dialog: pictures of the page as files.

import { mount } from "../../pictures/js/mount.js";
import { takeHome } from "./take_home.js";

export default mount(({ place, data, onStop }) => onStop(takeHome(place, data)));
