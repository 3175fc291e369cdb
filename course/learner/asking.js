// A question: radio buttons or lines to type in, and below, after an answer, what comes and why.
/**
 * With an `offer`, the question is behind a button, and can be answered again and again.
 * @typedef {{text: string, code: string, choices: string[][], lines: string[], button: string, offer: string}} Question
 */

/** @param {HTMLElement} field @param {string[][]} choices */
function addChoices(field, choices) {
  const group = `foldem-asked-${Math.random().toString(36).slice(2)}`;
  for (const [letter, choice] of choices) {
    const label = make("label", "asking-choice", field);
    const radio = focusable(make("input", "", label));
    Object.assign(radio, { type: "radio", name: group, value: letter, required: true });
    make("code", "", label).textContent = choice;
  }
}

/** @param {HTMLElement} field @param {string} text @param {boolean} required */
function addLine(field, text, required) {
  const label = make("label", "asking-typed", field);
  make(required ? "span" : "code", "", label).textContent = text;
  const line = focusable(make("input", "", label));
  Object.assign(line, { type: "text", required, spellcheck: false, autocomplete: "off" });
}

/** @param {HTMLElement} form @param {Question} question */
function addQuestion(form, { text, code, choices, lines, button: does, offer }) {
  const field = make("fieldset", "", form);
  make("legend", "", field).textContent = text;
  if (code) make("pre", "", field).textContent = code;
  addChoices(field, choices);
  for (const line of lines) addLine(field, line, !offer);
  const button = focusable(make("button", "", field));
  button.type = "submit";
  button.textContent = does;
  const reply = make("div", "asking-said", form);
  reply.setAttribute("role", "status");
  reply.tabIndex = -1;
  reply.setAttribute("aria-live", "polite");
  return { field, button, reply };
}

/** @param {HTMLElement} form @param {HTMLElement} field @param {string} text */
function hideBehind(form, field, text) {
  const button = focusable(make("button", "", form));
  button.type = "button";
  button.textContent = text;
  field.hidden = true;
  button.onclick = () => {
    field.hidden = false;
    button.remove();
    field.querySelector("input")?.focus();
  };
}

/** @param {{model: any, el: HTMLElement}} widget */
function render({ model, el }) {
  const form = focusable(make("form", "foldem-asking", el)), { offer } = model.get("question");
  const { field, button, reply } = addQuestion(form, model.get("question"));
  if (offer) hideBehind(form, field, offer);
  form.onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const inputs = [...field.querySelectorAll("input:checked, input[type=text]")];
    if (offer || !model.get("reply_html")) model.send({ answers: inputs.map((input) => input.value) });
  };
  form.addEventListener("keydown", keepKeys);
  return showReply(model, reply, () => {
    if (offer) return;
    const had = form.contains(document.activeElement);
    button.hidden = true;
    for (const input of field.querySelectorAll("input")) input.disabled = true;
    if (had) reply.focus(); // what had it takes no more keys
  });
}

export default { render };
