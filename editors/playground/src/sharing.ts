// What leaves the page: a link, a text, an archive, a command.
import { resultsOf } from "./compare";
import { element, say } from "./dom";
import { archive, pack, secretOf } from "./keeping";
import type { Moment, State } from "./state";

/** copy copies a text and says so, or says what to do where the browser refuses; it reports which. */
async function copy(what: string, words: string, refused = "The browser refused to copy it."): Promise<boolean> {
  const copied = await navigator.clipboard.writeText(what).then(() => true, () => false);
  say(copied ? words : refused);
  return copied;
}

async function link({ state, still }: Moment, evaluator: string): Promise<void> {
  const results = await resultsOf(state, still); // at once: of the files as they are
  const why = await secretOf(state);
  if (why) return say(`No link is made: ${why}.`);
  const url = new URL(location.href);
  url.hash = await pack({ state, evaluator, results });
  const words = `The link is copied: ${url.href.length} letters, and all of it is in the link.`;
  if (!(await copy(url.href, words, "The browser refused to copy the link. Copy it from the address bar."))) history.replaceState(history.state, "", url);
}

const fence = (text: string): string => "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((m) => m[0].length + 1)));

function markdown(state: State): string {
  return state.files.map(({ name, text }) => {
    const ticks = fence(text);
    return `**${name}**\n\n${ticks}${/json/.test(name) ? "json" : "yaml"}\n${text.replace(/\n?$/, "\n")}${ticks}\n`;
  }).join("\n");
}

async function download(state: State): Promise<void> {
  const url = URL.createObjectURL(await archive(state.files));
  const a = element("a", { href: url, download: "rubric-playground.zip" });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  say("The files are in rubric-playground.zip.");
}

const quoted = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`);

function command(state: State): string {
  const about = state.case ? ` --case ${quoted(state.case)}` : "";
  return `rubric check ${quoted(state.active)} && rubric run ${quoted(state.active)}${about}`;
}

/** sharing are the buttons by which something leaves the page. */
export function sharing(now: () => Promise<Moment>, evaluator: () => string): HTMLElement[] {
  const button = (label: string, act: (now: Moment) => unknown) => element("button", { type: "button", onclick: () => void now().then(act).catch((fault: Error) => say(fault.message)) }, label);
  return [
    button("Copy link", (moment) => link(moment, evaluator())),
    button("Copy as Markdown", ({ state }) => copy(markdown(state), "The files are copied as Markdown.")),
    button("Copy command", ({ state }) => copy(command(state), "The command is copied.")),
    button("Download", ({ state }) => download(state)),
  ];
}
