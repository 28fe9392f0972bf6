// The tabs of the results: what one uses often, and Under the hood with tabs of its own. On a phone they are at the
// bottom of the page, next to one for the editor.
import { elementById } from "./dom";
import { icon, type IconName } from "./icons";
import type { Pane } from "./panes/pane";
import { problems } from "./panes/problems";
import { reply } from "./panes/reply";
import { run } from "./panes/run";
import { effective, json, prompt } from "./panes/text-panes";
import { verdict } from "./panes/verdict";
import { tabs } from "./tabs";

interface Shown {
  label: string;
  icon: IconName;
  show: Pane;
}

const mainPanes: Record<string, Shown> = {
  verdict: { label: "Score", icon: "score", show: verdict },
  problems: { label: "Problems", icon: "warning", show: problems },
  run: { label: "Results", icon: "outline", show: run },
};

const hoodPanes: Record<string, { label: string; show: Pane }> = {
  prompt: { label: "Judge prompt", show: prompt },
  rubric: { label: "Effective rubric", show: effective },
  reply: { label: "Reply", show: reply },
  json: { label: "JSON", show: json },
};

/** paneOf returns the pane of a tab. */
export const paneOf = (tab: string): Pane => (mainPanes[tab] ?? hoodPanes[tab] ?? mainPanes.verdict).show;

/** PaneTabs shows the tabs. */
export class PaneTabs {
  #narrow = matchMedia("(max-width: 760px)");
  #isEditing = false; // on a phone, which shows the editor or the results
  #hoodTab = "prompt"; // the last one under the hood
  #tab = "verdict";
  #problems = 0;

  /** onSelect gets the tab that the user selects. visit makes a change that the browser's Back takes back. */
  constructor(readonly onSelect: (tab: string) => Promise<void>, readonly visit: (change: () => void) => void) {
    this.#narrow.addEventListener("change", () => this.#draw());
  }

  /** show selects a tab and says how many problems there are. */
  show(tab: string, problems: number): void {
    this.#tab = mainPanes[tab] || hoodPanes[tab] ? tab : "verdict";
    if (hoodPanes[this.#tab]) this.#hoodTab = this.#tab;
    this.#problems = problems;
    this.#draw();
  }

  /** isEditing reports whether a phone shows the editor. */
  get isEditing(): boolean {
    return this.#narrow.matches && this.#isEditing;
  }

  /** showEditor shows the editor on a phone, or the results. */
  showEditor(isEditing: boolean): void {
    this.#isEditing = isEditing;
    this.#draw();
  }

  #draw(): void {
    const focused = document.activeElement?.getAttribute("data-tab");
    document.body.dataset.view = this.#isEditing ? "editor" : "results";
    const isHood = this.#tab in hoodPanes;
    const main = [
      ...(this.#narrow.matches ? [{ id: "editor", label: "Edit", icon: "editor" as IconName }] : []),
      ...Object.entries(mainPanes).map(([id, { label, icon }]) => ({ id, label: id === "problems" && this.#problems ? `${label} (${this.#problems})` : label, icon })),
      { id: "hood", label: "Under the hood", icon: "hood" as IconName },
    ];
    tabs(elementById("tabs"), "Results", main, this.isEditing ? "editor" : isHood ? "hood" : this.#tab, "pane", (chosen) => this.#select(chosen), ({ icon: name }) => [icon(name)]);
    elementById("subtabs").hidden = !isHood;
    if (isHood) tabs(elementById("subtabs"), "Under the hood", Object.entries(hoodPanes).map(([id, { label }]) => ({ id, label })), this.#tab, "pane", (chosen) => this.#select(chosen));
    if (focused) document.querySelector<HTMLElement>(`.results [data-tab="${CSS.escape(focused)}"]`)?.focus();
  }

  #select(chosen: string): void {
    this.visit(() => {
      this.#isEditing = chosen === "editor";
      if (this.#isEditing) this.#draw();
      else void this.onSelect(chosen === "hood" ? this.#hoodTab : chosen);
    });
  }
}
