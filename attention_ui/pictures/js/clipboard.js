// Copies what stands in a text field, and tells whether it could. Over plain http, as in a classroom, browsers offer
// no clipboard to pages: there the text is selected and copied as by hand.
export async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
