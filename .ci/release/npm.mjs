// node npm.mjs writes dist/npm: the npm packages of the release in dist, as `npm publish` takes them.
// @rubric-ls/cli starts the program of the package for its platform, such as @rubric-ls/cli-linux-x64,
// of which npm installs only the one that fits. @rubric-ls/wasm is the evaluator.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const dist = path.join(root, "dist"), out = path.join(dist, "npm");
const readJSON = (file) => JSON.parse(readFileSync(file, "utf8"));
const { version } = readJSON(path.join(dist, "metadata.json"));
const common = {
  version,
  license: "MIT",
  homepage: "https://github.com/rubric-ls/rubric",
  repository: { type: "git", url: "git+https://github.com/rubric-ls/rubric.git" },
  bugs: "https://github.com/rubric-ls/rubric/issues",
  publishConfig: { access: "public", provenance: true },
};

/** pack writes a package of files, paths inside it and their sources, to a tarball. */
function pack(manifest, files) {
  const folder = path.join(out, manifest.name.replace("@rubric-ls/", ""));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...manifest, ...common }, null, 2) + "\n");
  for (const [to, from] of Object.entries({ LICENSE: "LICENSE", ...files })) {
    mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
    copyFileSync(path.resolve(root, from), path.join(folder, to));
    if (to.startsWith("bin/")) chmodSync(path.join(folder, to), 0o755);
  }
  execFileSync("npm", ["pack", "--silent", "--pack-destination", out], { cwd: folder });
  rmSync(folder, { recursive: true });
}

rmSync(out, { recursive: true, force: true });
const platforms = {};
// The list is in the order in which the builds ended.
const programs = readJSON(path.join(dist, "artifacts.json")).filter((artifact) => artifact.type === "Binary" && artifact.extra.ID === "rubric").sort((a, b) => (a.path < b.path ? -1 : 1));
for (const built of programs) {
  const os = { windows: "win32" }[built.goos] ?? built.goos, cpu = { amd64: "x64" }[built.goarch] ?? built.goarch;
  const name = `@rubric-ls/cli-${os}-${cpu}`;
  pack({ name, description: `The program of @rubric-ls/cli for ${os} on ${cpu}`, os: [os], cpu: [cpu], preferUnplugged: true },
    { [`bin/${built.name}`]: built.path, THIRD_PARTY_NOTICES: "THIRD_PARTY_NOTICES" });
  platforms[name] = version;
}
pack({
  name: "@rubric-ls/cli",
  description: "Linter, runner and language server for LLM-eval rubrics",
  keywords: ["llm", "evals", "rubric", "linter", "language-server"],
  bin: { rubric: "bin/rubric.js" },
  engines: { node: ">=18" },
  optionalDependencies: platforms,
}, { "bin/rubric.js": ".ci/release/rubric.js", "README.md": "README.md" });

const { scripts, devDependencies, ...wasm } = readJSON(path.join(root, "wasm/npm/package.json"));
const listed = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: path.join(root, "wasm/npm"), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const files = JSON.parse(listed)[0].files.map((file) => file.path).filter((file) => file !== "package.json");
pack(wasm, Object.fromEntries(files.map((file) => [file, `wasm/npm/${file}`])));
