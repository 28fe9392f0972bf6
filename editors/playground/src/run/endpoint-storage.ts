// Stores the key of a model server in this tab's session storage, only if the user asks for it. Otherwise the key
// stays in memory.
import type { Endpoint } from "./endpoint";

const storageKey = "rubric-endpoint";

/** storeEndpoint stores an endpoint until the tab is closed. Without one it clears the storage. */
export function storeEndpoint(endpoint?: Endpoint): void {
  try {
    if (endpoint) sessionStorage.setItem(storageKey, JSON.stringify(endpoint));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // The browser may refuse storage.
  }
}

/** storedEndpoint returns the stored endpoint. */
export function storedEndpoint(): Endpoint | undefined {
  try {
    const { provider, address, model, key } = JSON.parse(sessionStorage.getItem(storageKey) ?? "{}") as Partial<Endpoint>;
    return provider && address ? { provider, address, model: model ?? "", key: key ?? "" } : undefined;
  } catch {
    return undefined;
  }
}
