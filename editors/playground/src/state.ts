// The state of the page. A link contains all of it.
import { secretInText } from "./secrets";

/** File is a named text. */
export interface File {
  name: string;
  text: string;
}

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

/** maxFiles is the number of files that can be open. */
export const maxFiles = 20;

/** Choices are the user's choices and grades. */
export interface Choices {
  active: string;
  /** by case id */
  grades: Record<string, ManualGrade[]>;
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
export function findSecret({ files, grades, case: caseId }: State): string | undefined {
  for (const { name, text } of files) {
    const found = secretInText(text);
    if (found) return `line ${found.line} of ${name} looks like ${found.what}`;
    const named = secretInText(name);
    if (named) return `a file's name looks like ${named.what}`;
  }
  const found = secretInText(JSON.stringify([grades, caseId]));
  return found && `a grade looks like ${found.what}`;
}

/** initialState returns the state for newly opened files. */
export const initialState = (files: File[]): State => ({ files, active: files[0]?.name ?? "", grades: {}, case: "", tab: "verdict" });

/** parseState validates a state from a link or from storage. */
export function parseState(from: unknown): State | undefined {
  if (typeof from !== "object" || from === null) return undefined;
  const { files, active, grades, case: caseId, tab } = from as Record<string, unknown>;
  if (!Array.isArray(files) || !files.length || files.length > maxFiles || !files.every(isFile)) return undefined;
  const names = new Set(files.map((f) => f.name));
  if (names.size < files.length) return undefined;
  return {
    files: files.map(({ name, text }) => ({ name, text })),
    active: typeof active === "string" && names.has(active) ? active : files[0].name,
    grades: isGrades(grades) ? grades : {},
    case: typeof caseId === "string" ? caseId : "",
    tab: typeof tab === "string" ? tab : "verdict",
  };
}

function isFile(f: unknown): f is File {
  const { name, text } = (f ?? {}) as Record<string, unknown>;
  return typeof name === "string" && /^(?!\/)[^\\\0]{1,120}$/.test(name) && !name.split("/").includes("..") && typeof text === "string";
}

function isGrades(g: unknown): g is Record<string, ManualGrade[]> {
  return typeof g === "object" && g !== null && Object.values(g).every((all) => Array.isArray(all) && all.every(isManualGrade));
}

function isManualGrade(t: unknown): t is ManualGrade {
  const { grader, id, satisfied, label, ...figures } = (t ?? {}) as Record<string, unknown>;
  const hasType = (value: unknown, kind: string) => value === undefined || typeof value === kind;
  return typeof grader === "string" && typeof id === "string" && hasType(satisfied, "boolean") && hasType(label, "string") && hasType(figures.score, "number") &&
    [figures.turn, figures.votes].every((n) => n === undefined || Number.isInteger(n));
}
