// The rules for our JavaScript, run by tests/test_site.py. Functions are as short as those of Python.
const page = ["draw", "focusable", "keepKeys", "make", "setAttribute", "showReply"]; // of course/show/page.js, which comes before each widget
const browser = ["addEventListener", "clearTimeout", "document", "matchMedia", "ResizeObserver", "setTimeout", "window", "performance",
  "clearInterval", "setInterval", "location", "URL", "URLSearchParams", "fetch", "TextDecoder", "TextEncoder", "Worker",
  "Blob", "DecompressionStream", "Element", "Response", "TransformStream", "self"];
const known = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

export default [
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { globals: known([...page, ...browser, "runPane", "render", "GameTable"]) },
    rules: {
      "consistent-return": "off",
      eqeqeq: "error",
      "max-lines-per-function": ["error", { max: 25, skipComments: true }],
      "no-undef": "error",
      "no-unused-vars": ["error", { varsIgnorePattern: "^(draw|focusable|keepKeys|make|setAttribute|showReply|runPane)$" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
