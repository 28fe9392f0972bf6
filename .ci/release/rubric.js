#!/usr/bin/env node
// Starts the rubric of this platform's package, with this process's streams, and exits as it does.
"use strict";
const { spawn } = require("node:child_process");

const program = process.platform === "win32" ? "rubric.exe" : "rubric";
const name = `@rubric-ls/cli-${process.platform}-${process.arch}`;
let file;
try {
  file = require.resolve(`${name}/bin/${program}`);
} catch {
  console.error(`rubric: the package ${name} is not installed; install @rubric-ls/cli again without --omit=optional, or get a program from https://github.com/rubric-ls/rubric/releases`);
  process.exit(2);
}
const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`rubric: cannot start ${file}: ${error.message}`);
  process.exit(2);
});
process.on("SIGINT", () => {}); // the terminal sends it to the child too, which finishes its work
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
