// Exports: a link, Markdown, a command, and an archive.
import { resultsForLink } from "./compare";
import { download, showStatus } from "./dom";
import { zipFiles, pack, findSecret } from "./background";
import { keyName } from "./help";
import type { MenuItem } from "./menu";
import { noResults } from "./results";
import type { Moment, State } from "./state";

/** copyText copies a text to the clipboard, shows a message, and reports whether the browser allowed it. */
async function copyText(text: string, success: string, failure = "The browser refused to copy it."): Promise<boolean> {
  const copied = await navigator.clipboard.writeText(text).then(() => true, () => false);
  showStatus(copied ? success : failure);
  return copied;
}

/** linkAddress returns where links lead: the address in the host's address.txt, or else this page's. */
async function linkAddress(): Promise<URL> {
  const configured = await fetch("address.txt", { cache: "no-store" }).then((response) => (response.ok ? response.text() : ""), () => "");
  return new URL(URL.canParse(configured) ? configured : location.href);
}

async function copyLink({ state, isCurrent }: Moment, evaluator: string): Promise<void> {
  const results = await resultsForLink(state, isCurrent); // first, while the files are as they were
  const secret = await findSecret(state);
  if (secret) return showStatus(`No link is made: ${secret}.`);
  const url = await linkAddress();
  url.hash = await pack({ state, evaluator, results: results ?? noResults });
  const success = `The link is copied: ${url.href.length} characters. It has the files, the grades${results ? ", the typed answers and what they come to" : " and the typed answers; what they come to is left out until the rest of the evaluator is loaded"}; the table of a run stays here.`;
  if (!(await copyText(url.href, success, "The browser refused to copy the link. Copy it from the address bar."))) history.replaceState(history.state, "", url.hash);
}

const fenceFor = (text: string): string => "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((m) => m[0].length + 1)));

function markdown(state: State): string {
  return state.files.map(({ name, text }) => {
    const ticks = fenceFor(text);
    return `**${name}**\n\n${ticks}${/json/.test(name) ? "json" : "yaml"}\n${text.replace(/\n?$/, "\n")}${ticks}\n`;
  }).join("\n");
}

async function downloadAll({ files }: State): Promise<void> {
  download("rubric-playground.zip", await zipFiles(files));
  showStatus("The files are in rubric-playground.zip.");
}

const shellQuote = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`);

function command(state: State): string {
  const caseOption = state.case ? ` --case ${shellQuote(state.case)}` : "";
  return `rubric check ${shellQuote(state.active)} && rubric run ${shellQuote(state.active)}${caseOption}`;
}

/** shareItems returns the entries of the menu Share. */
export function shareItems(currentMoment: () => Promise<Moment>, evaluator: () => string): MenuItem[] {
  const item = (label: string, act: (currentMoment: Moment) => unknown, key?: string) => ({ label, key, run: () => void currentMoment().then(act).catch((error: Error) => showStatus(error.message)) });
  return [
    item("Copy link", (moment) => copyLink(moment, evaluator()), keyName("Mod+S")),
    item("Copy as Markdown", ({ state }) => copyText(markdown(state), "The files are copied as Markdown.")),
    item("Copy command", ({ state }) => copyText(command(state), "The command is copied.")),
    item("Download", ({ state }) => downloadAll(state)),
  ];
}
