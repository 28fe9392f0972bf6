// The worker of `spawn`. It receives the module, then requests with their numbers.
import { open } from "./engine.js";
import { serve } from "./thread.js";

let engine;

await serve(async ({ module, number, request }, post) => {
  if (module) {
    engine = open(module);
    engine.catch(() => {}); // the first request reports it
    return;
  }
  try {
    const response = await (await engine).answer(request);
    post({ number, response }, [response.buffer]);
  } catch (error) {
    post({ number, error: error.message });
  }
});
