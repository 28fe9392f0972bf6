// A text in lines, as editors have it, and in words, as everything else does. A long
// one is made of the other a slice at a time; what is known as both stays so.
import { Text } from "@codemirror/state";
import { pause } from "./dom";

/** slice is how much is split at once, in letters. */
export const slice = 1 << 18;

/** rows is how much is joined at once, in lines. */
const rows = 1 << 13;

const known = new WeakMap<Text, string>();

/** linesOf makes lines of words; every kind of line break is one. */
export async function linesOf(given: string): Promise<Text> {
  const words = given.includes("\r") ? given.replace(/\r\n?/g, "\n") : given;
  let lines = Text.empty;
  for (let from = 0, to; from < words.length; from = to) {
    if (from) await pause();
    to = words.indexOf("\n", from + slice) + 1 || words.length;
    lines = lines.append(Text.of(words.slice(from, to).split("\n")));
  }
  known.set(lines, words);
  return lines;
}

/** wordsOf makes words of lines, if they are not known. */
export async function wordsOf(lines: Text): Promise<string> {
  let words = known.get(lines);
  if (words !== undefined) return words;
  const parts: string[] = [];
  for (let at = 1; at <= lines.lines; at += rows) {
    if (at > 1) await pause();
    parts.push([...lines.iterLines(at, Math.min(at + rows, lines.lines + 1))].join("\n"));
  }
  known.set(lines, (words = parts.join("\n")));
  return words;
}

/** wordsNow makes words of lines at once. */
export const wordsNow = (lines: Text): string => known.get(lines) ?? lines.toString();
