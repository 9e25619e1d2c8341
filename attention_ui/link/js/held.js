// Holds what is too large for a link, and brings it back: a text to the server, a file or pasted text to its field. All
// of it stands in this browser alone, by the name that the link holds. Where nothing can be held, as in a private
// window, the page is told that it is missing.

import { filesIn, give, givenTo, isUploading } from "../../pictures/js/streamlit.js";

const [MOST, LARGEST, LONGEST] = [20, 60e6, 7 * 24 * 3600e3]; // contents, bytes of all, milliseconds of each
const PATIENCE = 30_000; // ms until what is given to a field must have come, apart from those in which it is uploaded
const AGAIN = 3000; // ms until it is given again, as after an upload that failed

export default function ({ data, setTriggerValue }) {
  const { keep, bring, forget, text, field, fields } = data;
  // contents on their way to the server, and who tells it
  const arriving = (globalThis.attentionLabArriving ??= new Map());
  const missing = () => (arriving.get(bring)?.("missing", bring), arriving.delete(bring));
  const done = async () => {
    if (keep || forget) arriving.clear(); // the visitor may have brought something else meanwhile
    if (keep) return hold({ name: keep, ...(field ? givenTo(field) : { text }) });
    if (forget) return act("readwrite", (held) => held.delete(forget));
    const asked = arriving.has(bring);
    arriving.set(bring, setTriggerValue);
    if (asked) return;
    const found = await act("readonly", (held) => held.get(bring));
    if (found && !fields) return arriving.delete(bring), setTriggerValue("text", found.text);
    if (fields?.includes(found?.field)) await giveWhile(() => arriving.has(bring), found);
    missing();
  };
  done().catch(() => bring && missing()); // the page works without
}

// A field may show a file that an earlier process has had: what it shows besides has come, or is coming. Built anew, it
// shows such a file anew, so what has not come by half of the time is given again as well.
async function giveWhile(wanted, content) {
  let before = [];
  for (let rest = PATIENCE; wanted() && rest > 0; rest -= isUploading(content.field) ? 0 : AGAIN) {
    if (rest % (PATIENCE / 2) === 0 && !isUploading(content.field)) before = filesIn(content.field);
    if (filesIn(content.field).every((each) => before.includes(each))) await give(content);
    await new Promise((done) => setTimeout(done, AGAIN));
  }
}

// The newest contents stay, as many as there is room for.
async function hold(content) {
  const size = content.file?.size ?? content.text?.length;
  if (!size || size > LARGEST) return;
  const now = Date.now();
  const others = (await act("readonly", (held) => held.getAll())).filter(({ name }) => name !== content.name);
  let room = LARGEST - size;
  const stays = (each, place) => place < MOST - 1 && now - each.time < LONGEST && (room -= each.size) >= 0;
  const gone = others.sort((one, other) => other.time - one.time).filter((each, place) => !stays(each, place));
  await act("readwrite", (held) => {
    gone.forEach(({ name }) => held.delete(name));
    return held.put({ ...content, size, time: now });
  });
}

async function act(mode, ask) {
  const database = await answered(opened());
  try {
    return await answered(ask(database.transaction("held", mode).objectStore("held")));
  } finally {
    database.close();
  }
}

function opened() {
  const asked = indexedDB.open("attention-lab", 1);
  asked.addEventListener("upgradeneeded", () => asked.result.createObjectStore("held", { keyPath: "name" }));
  return asked;
}

const answered = (asked) =>
  new Promise((done, failed) => {
    asked.addEventListener("success", () => done(asked.result));
    asked.addEventListener("error", () => failed(asked.error));
  });
