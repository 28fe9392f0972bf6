// Runs the same project through `agentv eval run` and through `rubric run`, with a mock judge behind both,
// and compares every case: score, status, and each grader's score and verdict.
// Usage: node compare.mjs AGENTV RUBRIC [CASES [SEED]]. It exits with status 1 if a case differs.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [agentv, rubric, count = "200", start = "7"] = process.argv.slice(2);

// random returns the same numbers in each run (mulberry32).
let seed = Number(start);
function random() {
  let t = (seed = (seed + 0x6d2b79f5) | 0);
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const pick = (...options) => options[Math.floor(random() * options.length)];
const some = (values) => values.filter(() => random() < 0.6);
const share = () => pick(0, 0.1, 0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1);

const criteria = ["Is polite", "Names the day", "States the window", "Offers a label"];
const bands = { 0: "Bad", 4: "Fair", 8: "Good" };

// Each kind returns the settings of a grader.
const kinds = {
  rubrics: () => ({
    type: "rubrics",
    criteria: criteria.slice(0, pick(1, 2, 3, 4)).map((outcome, i) => ({
      id: `c${i}`, outcome, ...pick({}, { weight: pick(0.5, 1, 2, 3) }), ...pick({}, { required: pick(true, false) }),
    })),
  }),
  ranges: () => ({
    type: "rubrics",
    criteria: criteria.slice(0, pick(1, 2, 3)).map((outcome, i) => ({
      id: `c${i}`, outcome, weight: pick(1, 1, 2, 0.5), score_ranges: bands, ...pick({}, { min_score: pick(0.3, 0.5, 0.8) }, { required: true }),
    })),
  }),
  "llm-grader": () => ({ type: "llm-grader", ...pick({}, { prompt: "Grade {{ output }} for {{ input }}" }) }),
  contains: () => ({ type: "contains", value: pick("answer", "nothing", "Answer") }),
  "icontains-any": () => ({ type: "icontains-any", value: pick(["ANSWER", "x"], ["x", "y"]) }),
  "contains-all": () => ({ type: "contains-all", value: pick(["The", "answer"], ["The", "zebra"]) }),
  regex: () => ({ type: "regex", value: pick("answer \\d+", "^answer", "^(?!.*error).*$", "(\\d)\\1"), ...pick({}, { flags: "i" }) }),
  "starts-with": () => ({ type: "starts-with", value: pick("The", "An") }),
  "is-json": () => ({ type: "is-json" }),
  equals: () => ({ type: "equals", value: pick("The answer 5.", "no") }),
  latency: () => ({ type: "latency", threshold: pick(0, 600000) }),
  cost: () => ({ type: "cost", budget: pick(0.001, 1) }),
  "token-usage": () => ({ type: "token-usage", ...pick({ max_total: 10 }, { max_total: 20, max_input: 4 }, { max_output: 100 }) }),
  "execution-metrics": () => ({ type: "execution-metrics", max_tool_calls: pick(0, 1, 5), max_tokens: pick(5, 50), ...pick({}, { max_llm_calls: 1 }, { max_cost_usd: 0.5 }) }),
  "tool-trajectory": () => ({
    type: "tool-trajectory",
    ...pick(
      { mode: "any_order", minimums: { search: pick(0, 1, 2), write: pick(0, 1) } },
      { mode: pick("in_order", "exact", "superset", "subset"), expected: [{ tool: "search", args: pick({ q: "x" }, { q: "y" }, "any") }, ...pick([], [{ tool: "write" }])] },
      { mode: pick("in_order", "superset"), args_match: pick("superset", "subset", "ignore", "exact"), expected: [{ tool: "search", args: pick({ q: "x" }, { q: "x", limit: 5 }, {}) }] },
    ),
  }),
  "code-grader": () => ({ type: "code-grader", command: ["sh", "grade.sh", pick("0.4", "1", "0.85", "text", "broken")] }),
  composite: () => ({
    type: "composite",
    aggregator: pick({ type: "weighted_average", weights: { m0: 2 } }, { type: "weighted_average" }, { type: "threshold", threshold: 0.5 }),
    assertions: [0, 1].map((i) => ({ name: `m${i}`, ...pick("contains", "latency", "tool-trajectory", "regex").split(" ").map((k) => kinds[k]())[0] })),
  }),
};

// A case has one to three graders, of which at most one asks the judge.
const judged = ["rubrics", "ranges", "llm-grader"];
function newCase(i) {
  const names = Object.keys(kinds).filter((k) => !judged.includes(k));
  const chosen = [pick(...judged), pick(...names), pick(...names)].slice(pick(0, 0, 1), pick(2, 3, 3));
  const assertions = chosen.map((kind, n) => ({
    name: `g${n}`, ...kinds[kind](), ...pick({}, {}, { weight: pick(0.5, 2) }), ...pick({}, {}, {}, { required: true }), ...pick({}, {}, {}, { min_score: pick(0.5, 0.9) }),
    ...(kind === "composite" ? {} : pick({}, {}, {}, {}, { negate: true })),
  }));
  return { id: `case-${i}`, criteria: "Answers", input: `Question ${i}`, ...pick({}, {}, { execution: { threshold: pick(0.5, 0.9) } }), assertions };
}

// newReply returns what the judge says about a case, whatever it is asked.
function newReply() {
  const body = {
    score: share(),
    assertions: [{ text: "It answers", passed: random() < 0.5 }],
    checks: some(["c0", "c1", "c2", "c3"]).map((id) => ({ id, satisfied: random() < 0.7, score: pick(0, 3, 5, 7, 8, 10), reasoning: "So it is." })),
    overall_reasoning: "Fine.",
  };
  const text = JSON.stringify(body);
  return pick(text, text, text, "```json\n" + text + "\n```", "Here it is: " + text, "I cannot grade this.");
}

const cases = Array.from({ length: Number(count) }, (_, i) => newCase(i));
const replies = cases.map(newReply);
const answers = cases.map((_, i) => ({
  output: [{ role: "assistant", content: pick(`The answer ${i}.`, `{"answer": ${i}}`), tool_calls: pick([], [{ tool: "search", input: { q: "x" }, output: "found" }], [{ tool: "search", input: { q: "x", limit: 5 } }, { tool: "write", input: {} }]) }],
  token_usage: { input: 5, output: 7 }, cost_usd: 0.01,
}));

const server = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const { messages, stream } = JSON.parse(body);
    const index = /Question (\d+)/.exec(JSON.stringify(messages))?.[1];
    const content = replies[index] ?? "no such case";
    const part = { id: "c", created: 1, model: "m", usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
    if (stream) {
      const chunk = { ...part, object: "chat.completion.chunk", choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: "stop" }] };
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    } else {
      const whole = { ...part, object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
    }
  });
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

const folder = mkdtempSync(join(tmpdir(), "agentv-"));
const file = (name, text) => writeFileSync(join(folder, name), typeof text === "string" ? text : JSON.stringify(text, null, 1));
for (const name of [".git", ".agentv", "evals", "answers"]) mkdirSync(join(folder, name));
file(".agentv/targets.yaml", {
  targets: [
    { name: "default", provider: "cli", command: "cp answers/{EVAL_ID}.json {OUTPUT_FILE}", cwd: folder, grader_target: "judge" },
    { name: "judge", provider: "openai", base_url: `http://127.0.0.1:${server.address().port}/v1`, api_key: "${{ MOCK_KEY }}", model: "${{ MOCK_MODEL }}" },
  ],
});
file("evals/suite.eval.yaml", { name: "suite", execution: { target: "default" }, tests: cases });
file("evals/grade.sh", `cat >/dev/null # AgentV ends if a program does not read its input
case $1 in
text) echo fine ;;
broken) echo '{"score": ' ;;
*) echo "{\\"score\\": $1, \\"assertions\\": [{\\"text\\": \\"graded\\", \\"passed\\": true}]}" ;;
esac
`);
answers.forEach((answer, i) => file(`answers/case-${i}.json`, answer));

const environment = { ...process.env, MOCK_KEY: "key", MOCK_MODEL: "m", NO_COLOR: "1" };
function run(command, ...args) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("close", () => done(output));
  });
}
const read = (name, output) => {
  try {
    return new Map(readFileSync(join(folder, name, "index.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line)).map((row) => [row.test_id, row]));
  } catch {
    console.error(output);
    throw new Error(`${name} has no results`);
  }
};
const theirs = read("theirs", await run(agentv, "eval", "run", "evals/suite.eval.yaml", "--output", "theirs", "--workers", "10"));
const ours = read("ours", await run(rubric, "run", "evals/suite.eval.yaml", "--profile", "agentv-4", "--trust", "--allow-exec", "--no-cache", "--ignore-errors", "--out", "ours", "--format", "agentv"));
server.close();

// A grader that is skipped has no score. AgentV writes 0, or 1 if it is negated.
const shown = (row) =>
  row && JSON.stringify([row.score, row.execution_status, ...(row.scores ?? []).map((s) => [s.name, s.verdict === "skip" ? null : s.score, s.verdict])]);
let equal = 0;
for (const c of cases) {
  const [their, our] = [theirs, ours].map((rows) => shown(rows.get(c.id)));
  if (their === our) equal++;
  else console.log(`${c.id}: ${JSON.stringify(c.assertions)}\n  judge  ${replies[c.id.slice(5)]}\n  agentv ${their}\n  rubric ${our}`);
}
const statuses = {};
for (const row of theirs.values()) statuses[row.execution_status] = (statuses[row.execution_status] ?? 0) + 1;
console.log(`${equal} of ${cases.length} cases equal ${JSON.stringify(statuses)}`);
if (equal < cases.length) console.log(`the project is in ${folder}`);
else rmSync(folder, { recursive: true });
process.exit(equal === cases.length ? 0 : 1);
