// Runs: cases are answered, judged and told of, one after the other.
import type { EvalsetFiles } from "@rubric-ls/wasm";
import { element, say } from "../dom";
import { uriOf } from "../editor";
import { ask } from "../evaluator";
import { moduleNames } from "../run/graders";
import { offline } from "../run/judge";
import type { Item } from "../run/live";
import { outcome, standing } from "../run/outcome";
import { submissions } from "../run/recorded";
import { runCase, type Order } from "../run/run";
import { Whom } from "../run/whom";
import type { File } from "../state";
import { lastOf, typedBy } from "./last";
import type { Pane, Scene } from "./pane";

/** Runs is the pane: there is one, which keeps its results while others are shown. */
class Runs {
  readonly node: HTMLElement;
  #scene!: Scene;
  #whom = new Whom();
  #answers = element("select", { id: "answers", onchange: () => this.#typing() });
  #typed = element("textarea", { id: "answer", dir: "auto", "aria-label": "Answer" });
  #graders = element("p", { class: "faint" });
  #one = element("button", { type: "button", onclick: () => void this.#run(false) }, "Run case");
  #all = element("button", { type: "button", onclick: () => void this.#run(true) }, "Run all cases");
  #stop = element("button", { type: "button", disabled: true, onclick: () => this.#cancel() }, "Cancel");
  #bar = element("progress", { hidden: true, "aria-label": "Cases that are done" });
  #said = element("p", { role: "status", "aria-live": "polite" });
  #results = element("div");
  #under: AbortController | undefined;

  constructor() {
    this.#typed.hidden = true;
    this.node = element("div", { class: "runs" },
      element("p", { class: "row" }, element("label", { for: "answers" }, "Answer"), this.#answers), this.#typed,
      this.#whom.node, this.#graders,
      element("p", { class: "row" }, this.#one, this.#all, this.#stop), this.#bar, this.#said, this.#results);
  }

  /** show shows the pane for a scene. */
  show(scene: Scene): HTMLElement {
    this.#scene = scene;
    const recordings = scene.names.filter((name) => name.endsWith(".jsonl"));
    const answers = [["self", scene.measured ? "What is recorded" : "The file's expected output"], ...(scene.measured ? [] : [["typed", "An answer typed here"], ...recordings.map((name) => [name, `Recorded answers: ${name}`])])];
    if (answers.flat().join("\n") !== [...this.#answers.options].flatMap((o) => [o.value, o.text]).join("\n")) {
      const chosen = this.#answers.value;
      this.#answers.replaceChildren(...answers.map(([value, label]) => element("option", { value }, label)));
      if (answers.some(([value]) => value === chosen)) this.#answers.value = chosen;
      this.#typing();
    }
    this.#whom.offer(recordings, () => scene.files());
    const modules = moduleNames();
    this.#graders.textContent = modules.length ? `Code graders that are open: ${modules.join(", ")}. They are run shut in, and not kept.` : "";
    this.#one.textContent = scene.about ? `Run case ${scene.about.id}` : "Run case";
    const all = scene.cases.length;
    this.#all.textContent = `Run all ${all} cases`;
    this.#all.hidden = all < 2;
    this.#ready();
    this.#wanted();
    return this.node;
  }

  /** wanted runs what was asked for before the pane was there. */
  #wanted(): void {
    const order = waiting;
    if (order && !this.#scene.cases.length) {
      waiting = undefined;
      return this.#tell("There is no case to run in this file.", true);
    }
    if (!order || (order.about !== undefined && order.about !== this.#scene.about?.id)) return;
    waiting = undefined;
    void this.#run(order.about === undefined);
  }

  #typing(): void {
    this.#typed.hidden = this.#answers.value !== "typed";
  }

  #ready(): void {
    this.#one.disabled = this.#all.disabled = Boolean(this.#under) || !this.#scene.cases.length;
    this.#stop.disabled = !this.#under;
  }

  #tell(what: string, wrong = false): void {
    this.#said.textContent = what;
    this.#said.className = wrong ? "error" : "";
  }

  #cancel(): void {
    this.#under?.abort();
    this.#tell("Cancelling: what was judged stays.");
  }

  async #run(all: boolean): Promise<void> {
    const scene = this.#scene;
    const ids = scene.cases.map((c) => c.id);
    if (this.#under || !ids.length) return;
    const errors = scene.findings().filter((d) => d.severity === 1).length;
    if (errors) return this.#tell(`Nothing is run while the file has ${errors === 1 ? "an error" : `${errors} errors`}; Problems tells.`, true);
    const under = (this.#under = new AbortController());
    this.#ready();
    this.#stop.focus();
    this.#results.replaceChildren();
    const cases = all ? ids : [scene.about!.id];
    [this.#bar.hidden, this.#bar.max, this.#bar.value] = [false, cases.length, 0];
    try {
      const states = this.#whom.live ? await this.#runLive(scene, all, under.signal) : await this.#runHere(scene, cases, under.signal);
      const count = (of: string) => states.filter((s) => s === of).length;
      const totals = ["pass", "borderline", "fail", "ungraded"].filter(count).map((of) => `${count(of)} ${of}`).join(", ");
      this.#tell(`${under.signal.aborted ? `Cancelled after ${states.length} of ${cases.length}` : `Done: ${cases.length} ${cases.length === 1 ? "case" : "cases"}`}${totals ? `: ${totals}` : ""}.`);
    } catch (why) {
      this.#tell(why instanceof Error ? why.message : String(why), true);
    }
    const held = document.activeElement === this.#stop;
    this.#under = undefined;
    this.#bar.hidden = true;
    this.#ready();
    if (held) (all ? this.#all : this.#one).focus();
    scene.judged();
    say(this.#said.textContent ?? "");
  }

  /** orders are how cases are run: who has answered them, and what stands beside the file, as both were when the run began. */
  async #orders(scene: Scene): Promise<(about: string) => Order> {
    const from = this.#answers.value, words = this.#typed.value;
    const order = (about: string): Order => ({ document: scene.uri, case: about });
    if (scene.measured) {
      const beside = await ask("beside", { document: scene.uri });
      return (about) => ({ ...order(about), ...beside });
    }
    if (from === "typed") return (about) => ({ ...order(about), target: "mock", submission: { candidate_answer: words } });
    const source = (await scene.files()).find((f) => f.name === from);
    if (!source) return order;
    const answers = await submissions(source);
    return (about) => ({ ...order(about), target: from, submission: answers[about] });
  }

  async #runHere(scene: Scene, cases: string[], signal: AbortSignal): Promise<string[]> {
    const order = await this.#orders(scene);
    const judge = await this.#whom.judge();
    const notice = judge === offline ? element("p", { class: "faint" }, "The stand-in looks for the words of each criterion and understands nothing.") : "";
    this.#results.append(notice);
    const states: string[] = [];
    try {
      for (const about of cases) {
        if (signal.aborted) break;
        this.#tell(`${about}: ${states.length + 1} of ${cases.length}`);
        let shown: HTMLElement | undefined;
        const result = await runCase(order(about), judge, signal, (so) => {
          const next = outcome(so);
          if (shown) shown.replaceWith(next);
          else this.#results.append(next);
          shown = next;
          const open = so.questions.length + so.programs.length;
          if (open) this.#tell(`${about}: ${states.length + 1} of ${cases.length}; ${so.record.evaluator_results.length} graders, ${open} being asked`);
        });
        states.push(result.standing);
        this.#bar.value = states.length;
        await this.#took(scene, about);
      }
    } finally {
      judge.end?.();
    }
    return states;
  }

  /** took has what a case came to be the grades that the Verdict begins from. */
  async #took(scene: Scene, about: string): Promise<void> {
    const last = await lastOf(scene.uri, about).catch(() => null); // the case may have gone meanwhile
    if (!last) return;
    scene.state.grades[about] = typedBy(last);
    scene.changed();
  }


  async #runLive(scene: Scene, all: boolean, signal: AbortSignal): Promise<string[]> {
    const { live, judge } = this.#whom.session();
    const files = await scene.files();
    const file = files.find((f) => uriOf(f.name) === scene.uri) as File;
    const { config, recorded, target }: EvalsetFiles = scene.measured ? await ask("beside", { document: scene.uri }) : {};
    const beside = files.filter((f) => (config && f.name === "test_config.json") || (recorded && f.name === target)); // a result file is its own
    const items = new Map<string, Item>();
    const list = element("ul", { class: "plain" });
    this.#results.replaceChildren(list);
    const { news, records } = await live.run(file, beside, all ? undefined : scene.about!.id, judge, signal, ({ results, done, total }) => {
      for (const item of results) items.set(item.id, { ...items.get(item.id), ...item });
      list.replaceChildren(...[...items.values()].map(line));
      [this.#bar.max, this.#bar.value] = [total || 1, done];
      this.#tell(`${done} of ${total} cases, by the local server`);
    });
    if (news.state === "failed") throw new Error(`The local server could not run it: ${news.message ?? ""}`);
    const ended = [...items.values()].filter((i) => !i.id.split("#")[1]?.includes("/") && i.state !== "cancelled" && i.state !== "started");
    const ids = new Set(ended.map(({ id }) => decodeURIComponent(id.slice(id.indexOf("#") + 1))));
    for (const record of records.filter((r) => ids.has(r.eval_id))) {
      await ask("keep", { document: scene.uri, text: file.text, config, recorded, record }); // what stands beside it may be another by now
      await this.#took(scene, record.eval_id);
    }
    return ended.map((i) => i.state);
  }
}

function line({ id, state, score, message }: Item): HTMLElement {
  const name = id.slice(id.indexOf("#") + 1).split("/").map(decodeURIComponent).join(" / ");
  return element("li", {}, element("code", {}, name), " ", standing(state), score === undefined ? "" : ` ${Math.round(score * 10000) / 10000}`, message ? element("div", { class: "faint", dir: "auto" }, message) : "");
}

let runs: Runs | undefined;
let waiting: { about: string | undefined } | undefined;

/** wanted has a case run, or all, when the pane is shown next. */
export const wanted = (about: string | undefined): void => void (waiting = { about });

/** run shows the pane. */
export const run: Pane = (scene) => [(runs ??= new Runs()).show(scene)];
