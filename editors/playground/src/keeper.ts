// The keeper's thread: it searches whole texts for secrets, stores workspaces, and packs
// and unpacks links and archives. In the page's own thread a long text would hold it up.
import { archive } from "./archive";
import { pack, unpack } from "./link";
import { recordedIn } from "./recordings";
import { secretOf } from "./state";
import { claim, recent, release, remove, resume, save } from "./workspaces";

const duties = { archive, claim, pack, recent, recordedIn, release, remove, resume, save, secretOf, unpack };

/** Duties are what the keeper does. */
export type Duties = typeof duties;

/** Asked is a duty to be done. */
export interface Asked {
  number: number;
  duty: keyof Duties;
  given: unknown[];
}

/** Done is what came of it, or why nothing did. */
export interface Done {
  number: number;
  result?: unknown;
  fault?: string;
}

onmessage = async ({ data: { number, duty, given } }: MessageEvent<Asked>) => {
  const done: Done = { number };
  try {
    done.result = await (duties[duty] as (...given: unknown[]) => unknown)(...given);
  } catch (fault) {
    done.fault = fault instanceof Error ? fault.message : String(fault);
  }
  postMessage(done);
};
