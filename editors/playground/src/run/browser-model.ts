// The browser's built-in model as a judge (Chrome's Prompt API).
import { unreachable, type Judge } from "./judge";

interface Session {
  prompt(text: string, options: { responseConstraint?: unknown; signal?: AbortSignal }): Promise<string>;
  destroy(): void;
}

interface Models {
  availability(): Promise<"unavailable" | "downloadable" | "downloading" | "available">;
  create(options: { initialPrompts: { role: "system"; content: string }[]; signal?: AbortSignal }): Promise<Session>;
}

const browserModels = (): Models | undefined => (globalThis as { LanguageModel?: Models }).LanguageModel;

/** hasBrowserModel reports whether the browser has the API. */
export const hasBrowserModel = (): boolean => typeof browserModels()?.create === "function";

/** browserModel is the judge. */
export const browserModel: Judge = {
  name: "browser",
  async answer(q, signal) {
    let session: Session | undefined;
    try {
      if ((await browserModels()!.availability()) === "unavailable") return unreachable("browser: its model is not available on this machine");
      session = await browserModels()!.create({ initialPrompts: [{ role: "system", content: q.system }], signal });
      const text = await session.prompt(q.user, { responseConstraint: q.schema ?? undefined, signal });
      return { text, model: "browser" };
    } catch (error) {
      return unreachable(`browser: ${signal.aborted ? "the run was cancelled" : error instanceof Error ? error.message : String(error)}`);
    } finally {
      session?.destroy();
    }
  },
};
