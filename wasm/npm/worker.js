// The other side of `spawn`: takes the module, then requests, each with its number.
import { open } from "./engine.js";
import { serve } from "./thread.js";

let engine;

await serve(async ({ module, number, request }, post) => {
  if (module) {
    engine = open(module);
    engine.catch(() => {}); // the first request tells
    return;
  }
  try {
    const response = await (await engine).answer(request);
    post({ number, response }, [response.buffer]);
  } catch (fault) {
    post({ number, fault: fault.message });
  }
});
