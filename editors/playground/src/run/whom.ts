// Who judges and who answers, as somebody chooses them.
import type { Provider } from "@rubric-ls/wasm";
import { element } from "../dom";
import { ask } from "../evaluator";
import type { File } from "../state";
import { builtin, present } from "./builtin";
import { EndpointFields } from "./endpoint-fields";
import { offline, type Judge } from "./judge";
import { given, Live, type Server } from "./live";
import { replay } from "./recorded";

const labels: Record<string, string> = { openai: "A server with OpenAI's interface", ollama: "Ollama" };

/** Whom is the choice of a judge. */
export class Whom {
  readonly node: HTMLElement;
  readonly select = element("select", { id: "judge", onchange: () => void this.#show() });
  #fields = new EndpointFields();
  #below = element("div");
  #providers: Provider[] = [];
  #recordings: string[] = [];
  #files: () => Promise<File[]> = async () => [];
  #live: { live: Live; server: Server } | undefined;
  #opening: ReturnType<typeof Live.open> | undefined;
  #judge = element("input", { id: "live-judge", list: "live-judges", value: "offline", autocomplete: "off", spellcheck: "false" });

  constructor() {
    this.node = element("div", {}, element("p", { class: "row" }, element("label", { for: "judge" }, "Judge"), this.select), this.#below);
    void ask("providers", {}).then((all) => {
      this.#providers = all;
      this.#list();
    });
  }

  /** offer offers some recordings, too, by their names among the files. */
  offer(recordings: string[], files: () => Promise<File[]>): void {
    this.#recordings = recordings;
    this.#files = files;
    this.#list();
  }

  /** live reports whether the local server is to run the case. */
  get live(): boolean {
    return this.select.value === "live";
  }

  /** judge is who was chosen; an error says what is missing. */
  async judge(): Promise<Judge> {
    const chosen = this.select.value;
    if (chosen === "browser") return builtin;
    if (this.#providers.some((p) => p.name === chosen)) return this.#fields.judge();
    const file = chosen.startsWith("replay:") && (await this.#files()).find((f) => `replay:${f.name}` === chosen);
    return file ? replay(file) : offline;
  }

  /** session is the session with the local server that somebody has seen, and the judge that they chose of it. */
  session(): { live: Live; judge: string } {
    const judge = this.#judge.value.trim();
    if (!this.#live?.live.there) {
      void this.#show();
      throw new Error("The local server does not answer; the other judges do without it.");
    }
    if (judge.includes("MODEL")) throw new Error("Put the model's name in the place of MODEL.");
    return { live: this.#live.live, judge: judge || "offline" };
  }

  #list(): void {
    const all: [string, string][] = [
      ["offline", "Stand-in: compares words, understands nothing"],
      ...this.#providers.map(({ name }): [string, string] => [name, labels[name] ?? name]),
      ...(present() ? [["browser", "This browser's own model"] as [string, string]] : []),
      ...this.#recordings.map((name): [string, string] => [`replay:${name}`, `Recorded judgements: ${name}`]),
      ...(given() ? [["live", "The local server (rubric playground)"] as [string, string]] : []),
    ];
    const words = all.map(([, label]) => label).join("\n");
    if (words === [...this.select.options].map((o) => o.text).join("\n")) return;
    const chosen = this.select.value;
    this.select.replaceChildren(...all.map(([value, label]) => element("option", { value }, label)));
    if (all.some(([value]) => value === chosen)) this.select.value = chosen;
    void this.#show();
  }

  async #show(): Promise<void> {
    const chosen = this.select.value;
    const provider = this.#providers.find((p) => p.name === chosen);
    if (provider) {
      this.#fields.choose(provider);
      return this.#below.replaceChildren(this.#fields.node);
    }
    if (chosen === "live") return this.#connect();
    this.#below.replaceChildren(...(chosen === "browser" ? [element("p", { class: "faint" }, "The model is in this browser; nothing leaves it.")] : []));
  }

  /** connect says who is there before anything is asked of them. */
  async #connect(): Promise<void> {
    try {
      if (!this.#live?.live.there) this.#live = await (this.#opening ??= Live.open().finally(() => (this.#opening = undefined))); // one, however often it is chosen meanwhile
      const { host, version, judges } = this.#live.server;
      if (!this.live) return;
      this.#below.replaceChildren(
        element("p", {}, "This page talks to ", element("strong", {}, `rubric ${version} at ${host}`), ", on this machine. A run sends the file there; the server asks the judge with the keys that it has."),
        element("p", { class: "row" }, element("label", { for: "live-judge" }, "Its judge"), this.#judge, element("datalist", { id: "live-judges" }, ...judges.map((value) => element("option", { value })))),
        element("p", { class: "faint" }, `It can ask: ${judges.join(", ")}.`));
    } catch (why) {
      this.#below.replaceChildren(element("p", { class: "error" }, `${why instanceof Error ? why.message : why}.`));
    }
  }
}
