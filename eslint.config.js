import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/*", "!src/**", "!tests/**", "!eslint.config.js"] },
  js.configs.recommended,
  {
    files: ["src/ludotheque/web/static/**/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["tests/js/**/*.js"],
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
  },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implicit-globals": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-template": "error",
      "default-param-last": "error",
      "no-param-reassign": "error",
      "max-lines": ["error", { max: 350, skipBlankLines: true, skipComments: true }],
    },
  },
];
