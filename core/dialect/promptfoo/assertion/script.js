const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const print = answer => process.stdout.write("\n" + JSON.stringify(answer));
const lack = (object, keys) => keys.forEach(key => Object.defineProperty(object, key, {
  get() { throw Object.assign(new Error(key), {lacks: key}); }
}));
lack(given.context, ["provider", "providerResponse", "logProbs", "metadata", "trace"]);
lack(given.context.test, ["assert", "description", "provider", "providerOutput", "threshold"]);
const lastStatement = code => {
  let quote = "", last = -1;
  for (let i = 0; i < code.length; i++) {
    if (code[i] === "\\") i++;
    else if (quote) { if (code[i] === quote) quote = ""; }
    else if ("'\"`".includes(code[i])) quote = code[i];
    else if (code[i] === ";") last = i;
  }
  return last;
};
const body = code => {
  code = code.trimEnd();
  if (code.includes("\n")) return code;
  code = code.trim().replace(/;+\s*$/, "");
  if (!/^(const|let|var)\s/.test(code)) return "return " + code;
  const at = lastStatement(code) + 1;
  return at && code.slice(at).trim() ? code.slice(0, at) + " return " + code.slice(at) : code;
};
const load = async () => {
  if (!given.file) return new Function("output", "context", "process", body(given.code));
  const loaded = await import(require("url").pathToFileURL(require("path").resolve(given.file)));
  const own = loaded.default ?? loaded;
  return given.function ? loaded[given.function] ?? own[given.function] : own;
};
load().then(run => run(given.output, given.context, process))
  .then(result => print({type: typeof result, result}), error => print({error: error.message, lacks: error.lacks}));
