// A question: radio buttons or a line to type in, and below, after an answer, what comes and why.
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

/** @param {HTMLElement} field */
function addLine(field) {
  const label = make("label", "asking-typed", field);
  make("span", "", label).textContent = "Your prediction, as Python writes it:";
  const line = focusable(make("input", "", label));
  Object.assign(line, { type: "text", required: true, spellcheck: false, autocomplete: "off" });
}

/** @param {HTMLElement} form @param {{text: string, code: string, choices: string[][]}} question */
function addQuestion(form, { text, code, choices }) {
  const field = make("fieldset", "", form);
  make("legend", "", field).textContent = text;
  make("pre", "", field).textContent = code;
  if (choices.length) addChoices(field, choices);
  else addLine(field);
  const button = focusable(make("button", "", field));
  button.type = "submit";
  button.textContent = "Check my answer";
  const reply = make("div", "asking-said", form);
  reply.setAttribute("role", "status");
  reply.tabIndex = -1;
  reply.setAttribute("aria-live", "polite");
  return { field, button, reply };
}

/** @param {{model: any, el: HTMLElement}} widget */
function render({ model, el }) {
  const form = focusable(make("form", "foldem-asking", el));
  const { field, button, reply } = addQuestion(form, model.get("question"));
  form.onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const input = field.querySelector("input:checked") ?? field.querySelector("input[type=text]");
    if (input && !model.get("reply_html")) model.send({ answer: input.value });
  };
  form.addEventListener("keydown", keepKeys);
  const drawReply = () => {
    if (!model.get("reply_html")) return;
    const had = form.contains(document.activeElement);
    reply.innerHTML = model.get("reply_html");
    button.hidden = true;
    for (const input of field.querySelectorAll("input")) input.disabled = true;
    if (had) reply.focus(); // what had it takes no more keys
  };
  model.on("change:reply_html", drawReply);
  drawReply();
  return () => model.off("change:reply_html", drawReply);
}

export default { render };
