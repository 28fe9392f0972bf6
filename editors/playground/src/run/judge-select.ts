// The choice of a judge.
import type { Provider } from "@rubric-ls/wasm";
import { element } from "../dom";
import { callEvaluator } from "../evaluator";
import type { File } from "../state";
import { browserModel, hasBrowserModel } from "./browser-model";
import { EndpointFields } from "./endpoint-fields";
import { offline, type Judge } from "./judge";
import { hasServer, ServerSession, type Server } from "./server-session";
import { replay } from "./replay";

/** offlineNote says what a run with the offline judge does, and what it cannot do. */
const offlineNote = "No model is asked: quoted text, numbers, lengths, JSON and patterns are checked. What has to be understood stays ungraded: for that, choose a model as the judge.";

const labels: Record<string, string> = { openai: "OpenAI-compatible API", ollama: "Ollama" };

let chosenJudge = "offline";

/** isOffline reports whether the chosen judge is the one without a model. */
export const isOffline = (): boolean => chosenJudge === "offline";

/** chooseJudge moves the focus to the choice of the judge, or to the key of its server. */
export const chooseJudge = (field?: "judge" | "key"): void => document.getElementById(field === "key" ? "endpoint-key" : "judge")?.focus();

/** JudgeSelect is the select element with the fields of the selected judge. */
export class JudgeSelect {
  readonly choice: HTMLElement;
  readonly select = element("select", { id: "judge", onchange: () => void this.#showDetails() });
  #fields = new EndpointFields();
  readonly details = element("div", { class: "judge" });
  #providers: Provider[] = [];
  #recordings: string[] = [];
  #files: () => Promise<File[]> = async () => [];
  #server: { session: ServerSession; server: Server } | undefined;
  #opening: ReturnType<typeof ServerSession.open> | undefined;
  #serverJudge = element("input", { id: "live-judge", list: "live-judges", value: "offline", autocomplete: "off", spellcheck: "false" });

  /** onChange is called when another judge is chosen. */
  constructor(readonly onChange: () => void) {
    this.choice = element("span", {}, element("label", { for: "judge" }, "Judge"), this.select);
    void callEvaluator("providers", {}).then((all) => {
      this.#providers = all;
      this.#updateOptions();
    });
  }

  /** setRecordings offers recordings as judges, by file name. */
  setRecordings(recordings: string[], files: () => Promise<File[]>): void {
    this.#recordings = recordings;
    this.#files = files;
    this.#updateOptions();
  }

  /** isServer reports whether the local server runs the case. */
  get isServer(): boolean {
    return this.select.value === "live";
  }

  /** judge returns the selected judge, or throws with what is missing. */
  async judge(): Promise<Judge> {
    const chosen = this.select.value;
    if (chosen === "browser") return browserModel;
    if (this.#providers.some((p) => p.name === chosen)) return this.#fields.judge();
    const file = chosen.startsWith("replay:") && (await this.#files()).find((f) => `replay:${f.name}` === chosen);
    return file ? replay(file) : offline;
  }

  /** session returns the session with the local server, and the judge that the user selected there. */
  session(): { session: ServerSession; judge: string } {
    const judge = this.#serverJudge.value.trim();
    if (!this.#server?.session.isOpen) {
      void this.#showDetails();
      throw new Error("The local server does not answer; the other judges do without it.");
    }
    if (judge.includes("MODEL")) throw new Error("Put the model's name in the place of MODEL.");
    return { session: this.#server.session, judge: judge || "offline" };
  }

  #updateOptions(): void {
    const all: [string, string][] = [
      ["offline", "Offline (literal)"],
      ...this.#providers.map(({ name }): [string, string] => [name, labels[name] ?? name]),
      ...(hasBrowserModel() ? [["browser", "This browser's own model"] as [string, string]] : []),
      ...this.#recordings.map((name): [string, string] => [`replay:${name}`, `Recorded judgements: ${name}`]),
      ...(hasServer() ? [["live", "This computer (rubric)"] as [string, string]] : []),
    ];
    const optionTexts = all.map(([, label]) => label).join("\n");
    if (optionTexts === [...this.select.options].map((o) => o.text).join("\n")) return;
    const chosen = this.select.value;
    this.select.replaceChildren(...all.map(([value, label]) => element("option", { value }, label)));
    if (all.some(([value]) => value === chosen)) this.select.value = chosen;
    void this.#showDetails();
  }

  async #showDetails(): Promise<void> {
    const chosen = (chosenJudge = this.select.value);
    this.onChange();
    const provider = this.#providers.find((p) => p.name === chosen);
    if (provider) {
      this.#fields.choose(provider);
      return this.details.replaceChildren(this.#fields.node);
    }
    if (chosen === "live") return this.#connect();
    this.details.replaceChildren(element("p", { class: `faint ${chosen}` }, chosen === "browser" ? "The model is in this browser; nothing leaves it." : isOffline() ? offlineNote : ""));
  }

  /** connect shows the local server before anything is sent to it. */
  async #connect(): Promise<void> {
    try {
      if (!this.#server?.session.isOpen) this.#server = await (this.#opening ??= ServerSession.open().finally(() => (this.#opening = undefined))); // one session for concurrent calls
      const { host, version, judges } = this.#server.server;
      if (!this.isServer) return;
      this.details.replaceChildren(
        element("p", {}, "This page talks to ", element("strong", {}, `rubric ${version} at ${host}`), ", on this machine. A run sends the file there; the server asks the judge with the keys that it has."),
        element("p", { class: "row" }, element("label", { for: "live-judge" }, "Its judge"), this.#serverJudge, element("datalist", { id: "live-judges" }, ...judges.map((value) => element("option", { value })))),
        element("p", { class: "faint" }, `It can ask: ${judges.join(", ")}.`));
    } catch (error) {
      this.details.replaceChildren(element("p", { class: "error" }, `${error instanceof Error ? error.message : error}.`));
    }
  }
}
