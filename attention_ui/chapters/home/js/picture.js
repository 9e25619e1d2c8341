// A small drawing: its shapes come from Python, its colours from the theme, by the names of attention_ui/palette.py.

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".picture");
  const { sequential, ...roles } = coloursOf(place);
  for (const [role, colour] of Object.entries(roles)) place.style.setProperty(`--${role}`, colour);
  sequential.forEach((colour, i) => place.style.setProperty(`--shade-${i}`, colour));
  place.innerHTML = data.svg;
}
