// A question: radio buttons or a line to type in, and below, after an answer, what comes and why.
let asked = 0;

function render({ model, el }) {
  const { code, choices } = model.get("question");
  const form = make("form", "foldem-asking", el);
  form.dataset.lmSuppressShortcuts = "true";
  const field = make("fieldset", "", form);
  make("legend", "", field).textContent = "What will this give? Think first, then say so.";
  make("pre", "", field).textContent = code;
  const group = `foldem-asked-${(asked += 1)}-${Math.random().toString(36).slice(2)}`;
  for (const [letter, choice] of choices) {
    const label = make("label", "asking-choice", field);
    const radio = focusable(make("input", "", label));
    radio.type = "radio";
    radio.name = group;
    radio.value = letter;
    radio.required = true;
    make("code", "", label).textContent = choice;
  }
  if (!choices.length) {
    const label = make("label", "asking-typed", field);
    make("span", "", label).textContent = "Your prediction, as Python writes it:";
    const line = focusable(make("input", "", label));
    line.type = "text";
    line.required = true;
    line.spellcheck = false;
    line.autocomplete = "off";
  }
  const button = focusable(make("button", "", field));
  button.type = "submit";
  button.textContent = "That is my prediction";
  const said = make("div", "asking-said", form);
  said.setAttribute("role", "status");
  said.setAttribute("aria-live", "polite");

  form.onsubmit = (event) => {
    event.preventDefault();
    const input = field.querySelector("input:checked") ?? field.querySelector("input[type=text]");
    if (input && !model.get("told")) model.send({ answer: input.value });
  };
  form.addEventListener("keydown", (event) => event.key !== "Tab" && event.stopPropagation());
  const tell = () => {
    if (!model.get("told")) return;
    said.innerHTML = model.get("told");
    button.hidden = true;
    for (const input of field.querySelectorAll("input")) input.disabled = true;
  };
  model.on("change:told", tell);
  tell();
  return () => model.off("change:told", tell);
}

export default { render };
