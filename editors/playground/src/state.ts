// What somebody has before them: the whole of it fits in a link.
import { secretIn } from "./secrets";

/** File is a file by its name. */
export interface File {
  name: string;
  text: string;
}

/** Typed is a grade that somebody has given: of a criterion 0–10 or satisfied, of a whole grader 0–1; of what a metric has judged in a turn, from 1, satisfied, how many votes are for it, or a label. */
export interface Typed {
  grader: string;
  id: string;
  satisfied?: boolean;
  score?: number;
  turn?: number;
  votes?: number;
  label?: string;
}

/** same reports whether two grades are of the same thing. */
export const same = (a: Typed, b: Typed): boolean => a.grader === b.grader && a.id === b.id && a.turn === b.turn;

/** most is how many files can be open. */
export const most = 20;

/** Choices are what somebody has chosen to see, and the grades that they have given. */
export interface Choices {
  active: string;
  /** by the id of their case */
  grades: Record<string, Typed[]>;
  case: string;
  tab: string;
}

/** State is what is shown, kept and shared. */
export interface State extends Choices {
  files: File[];
}

/** Moment is a state, and whether its files still are what somebody has before them. */
export interface Moment {
  state: State;
  still: () => boolean;
}

/** secretOf says what of a state looks like a secret, and where; nothing if nothing does. A state with one is neither kept nor put into a link. */
export function secretOf({ files, grades, case: about }: State): string | undefined {
  for (const { name, text } of files) {
    const found = secretIn(text);
    if (found) return `line ${found.line} of ${name} looks like ${found.what}`;
    const named = secretIn(name);
    if (named) return `a file's name looks like ${named.what}`;
  }
  const found = secretIn(JSON.stringify([grades, about]));
  return found && `a grade looks like ${found.what}`;
}

/** beginning is what somebody sees first. */
export const beginning = (files: File[]): State => ({ files, active: files[0]?.name ?? "", grades: {}, case: "", tab: "verdict" });

/** proper is a state out of what somebody sent, or nothing if it is none. */
export function proper(from: unknown): State | undefined {
  if (typeof from !== "object" || from === null) return undefined;
  const { files, active, grades, case: about, tab } = from as Record<string, unknown>;
  if (!Array.isArray(files) || !files.length || files.length > most || !files.every(isFile)) return undefined;
  const names = new Set(files.map((f) => f.name));
  if (names.size < files.length) return undefined;
  return {
    files: files.map(({ name, text }) => ({ name, text })),
    active: typeof active === "string" && names.has(active) ? active : files[0].name,
    grades: isGrades(grades) ? grades : {},
    case: typeof about === "string" ? about : "",
    tab: typeof tab === "string" ? tab : "verdict",
  };
}

function isFile(f: unknown): f is File {
  const { name, text } = (f ?? {}) as Record<string, unknown>;
  return typeof name === "string" && /^(?!\/)[^\\\0]{1,120}$/.test(name) && !name.split("/").includes("..") && typeof text === "string";
}

function isGrades(g: unknown): g is Record<string, Typed[]> {
  return typeof g === "object" && g !== null && Object.values(g).every((all) => Array.isArray(all) && all.every(isTyped));
}

function isTyped(t: unknown): t is Typed {
  const { grader, id, satisfied, label, ...figures } = (t ?? {}) as Record<string, unknown>;
  const is = (value: unknown, kind: string) => value === undefined || typeof value === kind;
  return typeof grader === "string" && typeof id === "string" && is(satisfied, "boolean") && is(label, "string") && is(figures.score, "number") &&
    [figures.turn, figures.votes].every((n) => n === undefined || Number.isInteger(n));
}
