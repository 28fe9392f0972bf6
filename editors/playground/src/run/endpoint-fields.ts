// The fields for a model server: address, model and key.
import type { Provider } from "@rubric-ls/wasm";
import { element } from "../dom";
import { endpointJudge, addressProblem, keyProblem } from "./endpoint";
import type { Judge } from "./judge";
import { storeEndpoint, storedEndpoint } from "./endpoint-storage";

/** EndpointFields are shown for providers with an address. */
export class EndpointFields {
  readonly node: HTMLElement;
  #provider = "";
  #base = "";
  #address = element("input", { id: "endpoint-address", type: "url", autocomplete: "off", spellcheck: "false", oninput: () => this.#onAddress() });
  #model = element("input", { id: "endpoint-model", autocomplete: "off", spellcheck: "false", oninput: () => this.#store() });
  #key = element("input", { id: "endpoint-key", type: "password", autocomplete: "off", spellcheck: "false", oninput: () => this.#store() });
  #storeBox = element("input", { id: "endpoint-keep", type: "checkbox", onchange: () => this.#store() });
  #notice = element("p", { class: "faint" });
  #keyOrigin = ""; // the origin that the user entered the key for

  constructor() {
    this.node = element("div", { class: "fields" },
      element("label", { for: "endpoint-address" }, "Address"), this.#address,
      element("label", { for: "endpoint-model" }, "Model"), this.#model,
      element("label", { for: "endpoint-key" }, "Key"), this.#key,
      element("label", { for: "endpoint-keep", class: "wide" }, this.#storeBox, " Keep address, model and key in this tab until it is closed"),
      this.#notice);
  }

  /** choose shows the fields of a provider. */
  choose({ name, base, keyless }: Provider): void {
    if (name === this.#provider) return;
    const stored = storedEndpoint();
    const current = stored?.provider === name ? stored : undefined;
    [this.#provider, this.#base] = [name, base];
    this.#address.value = current?.address ?? base;
    this.#model.value = current?.model ?? "";
    this.#key.value = current?.key ?? "";
    this.#key.placeholder = keyless ? "none needed" : "";
    this.#storeBox.checked = Boolean(current);
    this.#keyOrigin = this.#origin();
    this.#showNotice();
  }

  /** judge returns the judge, or throws with what is missing. */
  judge(): Judge {
    const address = this.#address.value.trim(), model = this.#model.value.trim(), key = this.#key.value.trim();
    const problem = addressProblem(address) ?? (model ? keyProblem(key) : "Name a model.");
    if (problem) throw new Error(problem);
    return endpointJudge({ provider: this.#provider, address, model, key });
  }

  #origin(): string {
    try {
      return new URL(this.#address.value.trim()).origin;
    } catch {
      return "";
    }
  }

  /** onAddress clears a key that was entered for another origin. */
  #onAddress(): void {
    if (this.#key.value && this.#origin() !== this.#keyOrigin) this.#key.value = "";
    this.#keyOrigin = this.#origin();
    this.#store();
    this.#showNotice();
  }

  #store(): void {
    this.#keyOrigin = this.#origin();
    if (!this.#storeBox.checked) return storeEndpoint();
    storeEndpoint({ provider: this.#provider, address: this.#address.value.trim() || this.#base, model: this.#model.value.trim(), key: this.#key.value.trim() });
  }

  #showNotice(): void {
    const address = this.#address.value.trim();
    this.#notice.textContent = addressProblem(address) ?? `A run sends the case, its answer and the key only to ${this.#origin()}. The key stays in memory unless you keep it.`;
  }
}
