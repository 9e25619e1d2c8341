// The theme's colours by their roles (attention_ui/palette.py), and the one scale from a number to a colour.

import { element } from "./format.js";

export const ROLES = ["prediction", "reference", "truth", "average", "points", "query"];

const listOf = (style, name) => style.getPropertyValue(name).split(/,(?![^(]*\))/).map((colour) => colour.trim());

export function coloursOf(place) {
  const style = getComputedStyle(place);
  const categorical = listOf(style, "--st-chart-categorical-colors");
  const sequential = listOf(style, "--st-chart-sequential-colors");
  const sides = listOf(style, "--st-chart-diverging-colors");
  const diverging = [...sides.slice(0, 5), sequential[0], ...sides.slice(5)]; // 0 has the colour of no weight
  const background = style.getPropertyValue("--st-background-color");
  const roles = Object.fromEntries(ROLES.map((role, i) => [role, categorical[i]]));
  return { ...roles, ink: categorical[9], categorical, sequential, diverging, background };
}

// The colours of a scale that begins at `low`: one hue, or where there are numbers below 0 two around it.
export const scaleColours = (
  colours,
  low,
) => ([low].flat().some((end) => end < 0) ? colours.diverging : colours.sequential);

// 256 shades between these colours, as the pixels of an image.
export function rampOf(scale) {
  const context = new OffscreenCanvas(256, 1).getContext("2d");
  const gradient = context.createLinearGradient(0, 0, 256, 0);
  scale.forEach((colour, i) => gradient.addColorStop(i / (scale.length - 1), colour));
  context.fillStyle = gradient;
  context.fillRect(0, 0, 256, 1);
  return new Uint32Array(context.getImageData(0, 0, 256, 1).data.buffer);
}

// A share from 0 to 1 as a colour of a style sheet.
export function shadeOf(ramp, share) {
  const pixel = ramp[Math.max(0, Math.min(255, Math.round(share * 255)))];
  return `rgb(${pixel & 255},${(pixel >> 8) & 255},${(pixel >> 16) & 255})`;
}

// The colour bar: so many steps from low to high, to the right or, where it is high, upwards.
export function colourBar(ramp, { x, y, width, height }, steps = 64) {
  const upright = height > width;
  const long = (upright ? height : width) / steps;
  return Array.from({ length: steps }, (_, i) => {
    const where = upright
      ? { x, y: y + height - (i + 1) * long, width, height: long + 0.6 }
      : { x: x + i * long, y, width: long + 0.6, height };
    return element("rect", { ...where, fill: shadeOf(ramp, i / (steps - 1)) });
  });
}
