// Offline use by a service worker. Updates are offered, never forced.
import { elementById, element, showStatus } from "./dom";

/** enableOffline registers the service worker. */
export async function enableOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  try {
    const registered = await navigator.serviceWorker.register(new URL("offline-worker.js", document.baseURI));
    if (registered.waiting && navigator.serviceWorker.controller) offerUpdate(registered.waiting);
    registered.addEventListener("updatefound", () => {
      const next = registered.installing;
      next?.addEventListener("statechange", () => {
        if (next.state === "installed" && navigator.serviceWorker.controller) offerUpdate(next);
      });
    });
  } catch {
    // The browser may refuse. The page works without it.
  }
}

function offerUpdate(next: ServiceWorker): void {
  const button = element("button", {
    type: "button", class: "update",
    onclick: () => {
      if (next.state === "activated") return location.reload(); // another tab has let it take over
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      next.postMessage("take over");
    },
  }, "Update ready: reload");
  elementById("actions").prepend(button);
  showStatus("A newer playground is ready. Reload when you like.");
}
