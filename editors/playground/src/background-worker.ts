// The background worker. It searches texts for secrets, stores workspaces, and packs links and archives. With long
// texts these tasks would block the page.
import { zipFiles } from "./zip";
import { pack, unpack } from "./link";
import { readRecordedCases } from "./adk-results";
import { findSecret } from "./state";
import { claim, recent, release, remove, resume, save } from "./workspaces";

const tasks = { claim, findSecret, pack, readRecordedCases, recent, release, remove, resume, save, unpack, zipFiles };

/** Tasks are the functions of this worker. */
export type Tasks = typeof tasks;

/** TaskRequest asks for one task. */
export interface TaskRequest {
  number: number;
  task: keyof Tasks;
  args: unknown[];
}

/** TaskResponse has the result of a task, or its error. */
export interface TaskResponse {
  number: number;
  result?: unknown;
  error?: string;
}

onmessage = async ({ data: { number, task, args } }: MessageEvent<TaskRequest>) => {
  const response: TaskResponse = { number };
  try {
    response.result = await (tasks[task] as (...args: unknown[]) => unknown)(...args);
  } catch (error) {
    response.error = error instanceof Error ? error.message : String(error);
  }
  postMessage(response);
};
