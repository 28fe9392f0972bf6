// The pages of the site: address, file below the repository's root, and title, by section of the navigation.
const sections = {
  Start: [
    ["index", "README.md", "rubric"],
    ["guide", "docs/GUIDE.md", "User guide"],
    ["ci", "docs/CI.md", "Continuous integration"],
    ["scale", "docs/SCALE.md", "Large runs"],
    ["from-agentv", "docs/FROM_AGENTV.md", "From AgentV"],
  ],
  Reference: [
    ["commands", "docs/COMMANDS.md", "Commands and topics"],
    ["rules", "core/lint/README.md", "Rules"],
    ["parity", "docs/PARITY.md", "What works in which dialect"],
    ["schema/index", "editors/schema/README.md", "JSON Schemas"],
    ["glossary", "docs/GLOSSARY.md", "Glossary"],
    ["changelog", "CHANGELOG.md", "Changelog"],
  ],
  "File formats": [
    ["fields/agentv", "core/dialect/agentv/README.md", "AgentV"],
    ["fields/agentv-4", "core/dialect/agentv/v4/README.md", "AgentV 4.42.4"],
    ["fields/agentv-head", "core/dialect/agentv/head/README.md", "AgentV 5.3.1-next.1"],
    ["fields/adk", "core/dialect/adk/README.md", "ADK"],
  ],
  Editors: [
    ["editors/vscode", "editors/vscode/README.md", "VS Code"],
    ["editors/neovim", "editors/neovim/README.md", "Neovim"],
    ["editors/others", "editors/recipes/README.md", "Helix, Emacs, Vim and others"],
    ["editors/playground", "editors/playground/README.md", "The playground"],
    ["editors/lsp", "lsp/README.md", "The language server"],
  ],
  Programs: [
    ["wasm/npm", "wasm/npm/README.md", "npm package"],
    ["wasm/api", "wasm/api/README.md", "Evaluator API"],
    ["wasm/index", "wasm/README.md", "WebAssembly modules"],
    ["wasm/graders", "wasm/graders/README.md", "Graders in WebAssembly"],
  ],
  Contributing: [
    ["contributing", "CONTRIBUTING.md", "Contributing"],
    ["architecture", "docs/ARCHITECTURE.md", "Architecture"],
    ["rationale", "docs/RATIONALE.md", "Rationale"],
    ["releasing", "docs/RELEASING.md", "Releasing"],
    ["security", "SECURITY.md", "Security"],
  ],
};

/** pages are the address without its extension, file and title of each page. */
export const pages = Object.values(sections).flat();

const entry = ([address, , text]) => ({ text, link: `/${address.replace(/(^|\/)index$/, "$1")}` });

export const sidebar = Object.entries(sections).map(([text, items]) => ({ text, items: items.map(entry) }));
