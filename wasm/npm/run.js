// Runs cases with the evaluator's method `run`, which returns the questions and programs that a case still needs.

const cancelled = "the run was cancelled";

/** inOrder returns cases of a file in the order in which they run, with those that they depend on, and the ids of these. */
async function inOrder(engine, cases) {
  const { text, path, document } = cases[0];
  const { cases: ids, needed } = await engine.call("order", { text, path, document, cases: cases.map((c) => c.case) });
  const ordered = ids.map((id) => cases.find((c) => c.case === id) ?? { ...cases[0], case: id, submission: undefined });
  return { ordered: [...ordered, ...cases.filter((c) => !ids.includes(c.case))], needed: new Set(needed) }; // the evaluator says what is wrong with the others
}

/** run runs cases of a file one after another and yields what happens. */
export async function* run(engine, cases, { answer, runProgram, replay = false, workers, signal = new AbortController().signal } = {}) {
  if (!Array.isArray(cases)) throw new TypeError("`cases` must be a list");
  workers ??= (await engine.call("version", {})).options.find(({ name }) => name === "workers").default;
  if (!cases.length) return;
  const { ordered, needed } = await inOrder(engine, cases);
  const completed = {}; // by case that others depend on, whether it was run to its end
  for (const [index, params] of ordered.entries()) {
    if (signal.aborted) return;
    const event = { case: params.case, index, total: ordered.length };
    yield { stage: "started", ...event };
    const answers = {}, printed = {};
    for (let last = false; ;) {
      const result = await engine.call("run", { ...params, answers, printed, completed, replay: last });
      const { questions, programs } = result;
      const open = questions.length + programs.length;
      yield { stage: open ? "graded" : "done", ...event, result };
      if (needed.has(params.case)) completed[params.case] = result.completed;
      if (!open) break;
      const tasks = [
        ...questions.map((question) => async () => {
          const given = signal.aborted ? undefined : await answer(question, signal);
          if (given || signal.aborted) answers[question.key] = signal.aborted && !given?.text ? { text: "", error: cancelled } : given;
        }),
        ...programs.map((program) => async () => {
          printed[program.key] = signal.aborted ? { stdout: "", stderr: "", code: -1, error: cancelled } : await runProgram(program, signal);
        }),
      ];
      await Promise.all(Array.from({ length: workers }, async () => {
        for (let next = tasks.shift(); next; next = tasks.shift()) await next();
      }));
      // A recording gains no answers later. Once nothing else is open, the evaluator reports the missing ones.
      last = replay && !programs.length && questions.every(({ key }) => !answers[key]);
    }
  }
}
