// The browser's own model, where it has one (Chrome's Prompt API).
import { fault, type Judge } from "./judge";

interface Session {
  prompt(text: string, options: { responseConstraint?: unknown; signal?: AbortSignal }): Promise<string>;
  destroy(): void;
}

interface Models {
  availability(): Promise<"unavailable" | "downloadable" | "downloading" | "available">;
  create(options: { initialPrompts: { role: "system"; content: string }[]; signal?: AbortSignal }): Promise<Session>;
}

const models = (): Models | undefined => (globalThis as { LanguageModel?: Models }).LanguageModel;

/** present reports whether the browser has a model. */
export const present = (): boolean => typeof models()?.create === "function";

/** builtin is that model as a judge. */
export const builtin: Judge = {
  name: "browser",
  async answer(q, signal) {
    let session: Session | undefined;
    try {
      if ((await models()!.availability()) === "unavailable") return fault("browser: it has a model, but not on this machine");
      session = await models()!.create({ initialPrompts: [{ role: "system", content: q.system }], signal });
      const text = await session.prompt(q.user, { responseConstraint: q.schema ?? undefined, signal });
      return { text, model: "browser" };
    } catch (why) {
      return fault(`browser: ${signal.aborted ? "the run was cancelled" : why instanceof Error ? why.message : String(why)}`);
    } finally {
      session?.destroy();
    }
  },
};
