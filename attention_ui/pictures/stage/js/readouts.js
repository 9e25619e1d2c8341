// Numbers that move with the frame; torch worked them out for every one of them.

function readoutRow(scene) {
  const values = scene.readouts.map(() => element("b"));
  const row = element("div", { class: "readouts" }, ...scene.readouts.map(({ name }, i) => element("span", {}, `${name} `, values[i])));
  row.hidden = !values.length;
  return { row, draw: (frame) => values.forEach((value, i) => write(value, scene.readouts[i].texts[frame])) };
}
