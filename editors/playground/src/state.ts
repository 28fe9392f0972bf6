// The state of the page. A link contains all of it.
import { secretInText } from "./secrets";

/** File is a named text. */
export interface File {
  name: string;
  text: string;
  /** crlf is true for a file that came with CRLF, and is saved with it. */
  crlf?: boolean;
}

/** textToSave returns a file's text with the line ends that it came with. */
export const textToSave = ({ text, crlf }: File): string => (crlf ? text.replaceAll("\n", "\r\n") : text);

/** ManualGrade is a grade by the user: of a criterion 0–10 or satisfied, of a whole grader 0–1, and of one turn of a metric satisfied, a number of votes, or a label. Turns start at 1. */
export interface ManualGrade {
  grader: string;
  id: string;
  satisfied?: boolean;
  score?: number;
  turn?: number;
  votes?: number;
  label?: string;
}

/** isSameTarget reports whether two grades are about the same thing. */
export const isSameTarget = (a: ManualGrade, b: ManualGrade): boolean => a.grader === b.grader && a.id === b.id && a.turn === b.turn;

/** owners say whose the grades of a case are. Without one they are the user's. */
const owners = ["example", "link", "linked run", "run"] as const;

/** Entry is what was entered for a case: grades with their owner, whether a run gave them for another text, and an answer to grade. */
export interface Entry {
  grades?: ManualGrade[];
  from?: (typeof owners)[number];
  stale?: boolean;
  answer?: string;
}

/** Entries are those of a file, by case id. */
export type Entries = Record<string, Entry>;

const lastIds = new WeakMap<Entries, string[]>(); // of all cases of the file

/** followCases lets an entry follow its case when that gets another id. A copy of a case has no entry. It returns the id that the shown case has now. */
export function followCases(entries: Entries, ids: string[], shown: string): string {
  const before = lastIds.get(entries) ?? [], isRenamed = ids.length === before.length;
  if (isRenamed) for (const [i, id] of ids.entries()) {
    const entry = entries[before[i]];
    if (!entry || ids.includes(before[i]) || before.includes(id)) continue;
    delete entries[before[i]];
    entries[id] = entry;
  }
  lastIds.set(entries, ids);
  return (isRenamed && !ids.includes(shown) && ids[before.indexOf(shown)]) || shown;
}

/** maxFiles is the number of files that can be open. */
export const maxFiles = 20;

/** Choices are the user's choices and grades. */
export interface Choices {
  active: string;
  /** by file name */
  entries: Record<string, Entries>;
  case: string;
  tab: string;
}

/** State is what the page shows, stores and shares. */
export interface State extends Choices {
  files: File[];
}

/** Moment is a state, and a function that reports whether the files are still unchanged. */
export interface Moment {
  state: State;
  isCurrent: () => boolean;
}

/** findSecret says where a state contains a likely secret. Such a state is neither stored nor put into a link. */
export function findSecret({ files, entries, case: caseId }: State): string | undefined {
  for (const { name, text } of files) {
    const found = secretInText(text);
    if (found) return `line ${found.line} of ${name} looks like ${found.what}`;
    const named = secretInText(name);
    if (named) return `a file's name looks like ${named.what}`;
  }
  const found = secretInText(JSON.stringify([entries, caseId]));
  return found && `a grade or an answer looks like ${found.what}`;
}

/** initialState returns the state for newly opened files. */
export const initialState = (files: File[]): State => ({ files, active: files[0]?.name ?? "", entries: {}, case: "", tab: "verdict" });

/** parseState validates a state from a link or from storage. */
export function parseState(from: unknown): State | undefined {
  if (typeof from !== "object" || from === null) return undefined;
  const { files, active: chosen, entries, grades, case: caseId, tab } = from as Record<string, unknown>;
  if (!Array.isArray(files) || !files.length || files.length > maxFiles || !files.every(isFile)) return undefined;
  const names = new Set(files.map((f) => f.name));
  if (names.size < files.length) return undefined;
  const active = typeof chosen === "string" && names.has(chosen) ? chosen : files[0].name;
  return {
    files: files.map(({ name, text, crlf }) => ({ name, text, ...(crlf === true && { crlf }) })),
    active,
    entries: isRecord(entries, isEntries) ? entries : isRecord(grades, isGrades) ? { [active]: Object.fromEntries(Object.entries(grades).map(([id, all]) => [id, { grades: all }])) } : {}, // older links have grades by case
    case: typeof caseId === "string" ? caseId : "",
    tab: typeof tab === "string" ? tab : "verdict",
  };
}

function isFile(f: unknown): f is File {
  const { name, text } = (f ?? {}) as Record<string, unknown>;
  return typeof name === "string" && /^(?!\/)[^\\\0]{1,120}$/.test(name) && !name.split("/").includes("..") && typeof text === "string";
}

const isRecord = <T>(from: unknown, is: (value: unknown) => value is T): from is Record<string, T> => typeof from === "object" && from !== null && Object.values(from).every(is);

const isGrades = (all: unknown): all is ManualGrade[] => Array.isArray(all) && all.every(isManualGrade);

const isEntries = (all: unknown): all is Entries => isRecord(all, (entry): entry is Entry => {
  const { grades, from, stale, answer } = (entry ?? {}) as Record<string, unknown>;
  return (grades === undefined || isGrades(grades)) && [undefined, ...owners].includes(from as Entry["from"]) && ["undefined", "boolean"].includes(typeof stale) && ["undefined", "string"].includes(typeof answer);
});

function isManualGrade(t: unknown): t is ManualGrade {
  const { grader, id, satisfied, label, ...figures } = (t ?? {}) as Record<string, unknown>;
  const hasType = (value: unknown, kind: string) => value === undefined || typeof value === kind;
  return typeof grader === "string" && typeof id === "string" && hasType(satisfied, "boolean") && hasType(label, "string") && hasType(figures.score, "number") &&
    [figures.turn, figures.votes].every((n) => n === undefined || Number.isInteger(n));
}
