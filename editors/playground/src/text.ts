// Converts between CodeMirror's texts and strings. Long texts are converted in slices, and conversions are cached.
import { Text } from "@codemirror/state";
import { pause } from "./dom";

/** sliceLength is the number of characters to split at once. */
export const sliceLength = 1 << 18;

/** linesPerSlice is the number of lines to join at once. */
const linesPerSlice = 1 << 13;

const textCache = new WeakMap<Text, string>();

/** splitLines converts a string to a text. Every kind of line break counts. */
export async function splitLines(original: string): Promise<Text> {
  const text = original.includes("\r") ? original.replace(/\r\n?/g, "\n") : original;
  let lines = Text.empty;
  for (let from = 0, to; from < text.length; from = to) {
    if (from) await pause();
    to = text.indexOf("\n", from + sliceLength) + 1 || text.length;
    lines = lines.append(Text.of(text.slice(from, to).split("\n")));
  }
  textCache.set(lines, text);
  return lines;
}

/** joinLines converts a text to a string. */
export async function joinLines(lines: Text): Promise<string> {
  let text = textCache.get(lines);
  if (text !== undefined) return text;
  const parts: string[] = [];
  for (let at = 1; at <= lines.lines; at += linesPerSlice) {
    if (at > 1) await pause();
    parts.push([...lines.iterLines(at, Math.min(at + linesPerSlice, lines.lines + 1))].join("\n"));
  }
  textCache.set(lines, (text = parts.join("\n")));
  return text;
}

/** joinLinesNow converts a text to a string synchronously. */
export const joinLinesNow = (lines: Text): string => textCache.get(lines) ?? lines.toString();
