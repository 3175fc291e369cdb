// A question: radio buttons or lines to type in, and below, after an answer, what comes and why.
/**
 * With an `offer`, the question is behind a button, and can be answered again and again. An offer without a text asks
 * for its first question. With `next`, a button below the reply asks for the next question.
 * @typedef {{text: string, code: string, choices: string[][], lines: string[], button: string, offer: string,
 *   next: string}} Question
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

/** @param {HTMLElement} field @param {string} text */
function addLine(field, text) {
  const label = make("label", "asking-typed", field);
  make("code", "", label).textContent = text;
  const line = focusable(make("input", "", label));
  Object.assign(line, { type: "text", spellcheck: false, autocomplete: "off" });
}

/** @param {HTMLElement} form @param {Question} question */
function addQuestion(form, { text, code, choices, lines, button: does }) {
  const field = make("fieldset", "", form);
  make("legend", "", field).textContent = text;
  if (code) make("pre", "", field).textContent = code;
  addChoices(field, choices);
  for (const line of lines) addLine(field, line);
  const button = focusable(make("button", "", field));
  button.type = "submit";
  button.textContent = does;
  button.hidden = !does;
  const reply = make("div", "asking-said", form);
  reply.setAttribute("role", "status");
  reply.tabIndex = -1;
  reply.setAttribute("aria-live", "polite");
  return { field, button, reply };
}

/** @param {HTMLElement} form @param {HTMLElement} field @param {string} text @param {() => void} open */
function hideBehind(form, field, text, open) {
  const button = focusable(make("button", "", form));
  button.type = "button";
  button.textContent = text;
  field.hidden = true;
  button.onclick = () => {
    open();
    if (field.hidden) return;
    button.remove();
    field.querySelector("input")?.focus();
  };
}

/** Draw the question in an empty form, and return how to stop drawing replies. @param {any} model @param {any} form */
function drawQuestion(model, form) {
  const { text, offer, next } = model.get("question");
  const { field, button, reply } = addQuestion(form, model.get("question"));
  const send = (/** @type {string[]} */ ...answers) => model.send({ answers });
  if (offer) hideBehind(form, field, offer, () => (text ? (field.hidden = false) : send()));
  form.onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const inputs = [...field.querySelectorAll("input:checked, input[type=text]")].filter((input) => !input.disabled);
    if (offer || next || !model.get("reply_html")) send(...inputs.map((input) => input.value));
  };
  return showReply(model, reply, () => {
    if (offer) return;
    const had = form.contains(document.activeElement);
    button.hidden = !next;
    button.textContent = next;
    if (next) form.append(button);
    for (const input of field.querySelectorAll("input")) input.disabled = true;
    if (had) reply.focus(); // what had it takes no more keys
  });
}

/** @param {{model: any, el: HTMLElement}} widget */
function render({ model, el }) {
  const form = focusable(make("form", "foldem-asking foldem-live", el));
  form.addEventListener("keydown", keepKeys);
  form.tabIndex = -1; // has the focus between two questions
  let stopReplies = drawQuestion(model, form);
  const drawAgain = () => {
    const had = form.contains(document.activeElement);
    stopReplies();
    form.replaceChildren();
    stopReplies = drawQuestion(model, form);
    if (had) (form.querySelector("input") ?? form).focus();
  };
  model.on("change:question", drawAgain);
  return () => {
    model.off("change:question", drawAgain);
    stopReplies();
  };
}

export default { render };
