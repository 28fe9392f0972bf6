// The page without a network, and its updates: offered, never forced.
import { at, element, say } from "./dom";

/** keepOffline has this page be there without a network from now on. */
export async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  try {
    const registered = await navigator.serviceWorker.register(new URL("offline-worker.js", document.baseURI));
    if (registered.waiting && navigator.serviceWorker.controller) offer(registered.waiting);
    registered.addEventListener("updatefound", () => {
      const next = registered.installing;
      next?.addEventListener("statechange", () => {
        if (next.state === "installed" && navigator.serviceWorker.controller) offer(next);
      });
    });
  } catch {
    // The page works as well without; a browser may refuse.
  }
}

function offer(next: ServiceWorker): void {
  const button = element("button", {
    type: "button", class: "update",
    onclick: () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      next.postMessage("take over");
    },
  }, "Update ready: reload");
  at("actions").prepend(button);
  say("A newer playground is ready. Reload when you like.");
}
