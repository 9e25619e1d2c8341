// The small messenger: keeps the latest message to every picture and tells the pictures that there is one.

import { opened } from "./packing.js";

export default function ({ data }) {
  const update = opened(data);
  (globalThis.attentionLabUpdates ??= new Map()).set(update.to, update);
  globalThis.dispatchEvent(new CustomEvent("attention-lab-update", { detail: update.to }));
}
