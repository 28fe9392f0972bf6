// What a page's own thread does, as Chromium's tracing has it.

const categories = ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "v8", "__metadata"];

/**
 * tasks are those of a page's own thread while something is done, by the processor's
 * time that they took, in milliseconds. What the engine took to collect garbage is not
 * counted: it comes when it does.
 */
export async function tasks(page, work) {
  const session = await page.context().browser().newBrowserCDPSession();
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { traceConfig: { includedCategories: categories }, transferMode: "ReportEvents" });
  try {
    await work();
  } finally {
    const completed = new Promise((done) => session.once("Tracing.tracingComplete", done));
    await session.send("Tracing.end");
    await completed;
    await session.detach();
  }
  const threads = new Map(events.filter((e) => e.name === "thread_name" && e.args.name === "CrRendererMain").map((e) => [`${e.pid}/${e.tid}`, []]));
  for (const e of events) if (e.ph === "X") threads.get(`${e.pid}/${e.tid}`)?.push(e);
  const all = [...threads.values()].map(outer);
  const sum = (of) => of.reduce((total, ms) => total + ms, 0);
  return all.sort((a, b) => sum(b) - sum(a))[0]; // the page's process is the one that was busiest
}

/** elapsed returns the duration of an event in milliseconds. */
const elapsed = ({ tdur, dur }) => (tdur ?? dur) / 1000;

/** outer are the tasks among a thread's events, each without those in it. */
function outer(events) {
  events.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const all = [];
  let end = -Infinity, collected = -Infinity;
  for (const e of events) {
    if (/RunTask$/.test(e.name) && e.ts >= end) {
      all.push(elapsed(e));
      end = e.ts + e.dur;
    } else if (/^V8\.GC_/.test(e.name) && e.ts >= collected && e.ts < end) {
      all[all.length - 1] -= elapsed(e);
      collected = e.ts + e.dur;
    }
  }
  return all;
}
