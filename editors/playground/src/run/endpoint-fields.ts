// The fields by which somebody names a model and where it is.
import type { Provider } from "@rubric-ls/wasm";
import { element } from "../dom";
import { endpoint, refused, unsendable } from "./endpoint";
import type { Judge } from "./judge";
import { keepForSession, keptForSession } from "./key";

/** EndpointFields are shown for the providers that are asked at an address. */
export class EndpointFields {
  readonly node: HTMLElement;
  #provider = "";
  #base = "";
  #address = element("input", { id: "endpoint-address", type: "url", autocomplete: "off", spellcheck: "false", oninput: () => this.#moved() });
  #model = element("input", { id: "endpoint-model", autocomplete: "off", spellcheck: "false", oninput: () => this.#kept() });
  #key = element("input", { id: "endpoint-key", type: "password", autocomplete: "off", spellcheck: "false", oninput: () => this.#kept() });
  #keep = element("input", { id: "endpoint-keep", type: "checkbox", onchange: () => this.#kept() });
  #whom = element("p", { class: "faint" });
  #for = ""; // the origin that the key was given for

  constructor() {
    this.node = element("div", { class: "fields" },
      element("label", { for: "endpoint-address" }, "Address"), this.#address,
      element("label", { for: "endpoint-model" }, "Model"), this.#model,
      element("label", { for: "endpoint-key" }, "Key"), this.#key,
      element("label", { for: "endpoint-keep", class: "wide" }, this.#keep, " Keep address, model and key in this tab until it is closed"),
      this.#whom);
  }

  /** choose shows them for a provider. */
  choose({ name, base, keyless }: Provider): void {
    if (name === this.#provider) return;
    const kept = keptForSession();
    const mine = kept?.provider === name ? kept : undefined;
    [this.#provider, this.#base] = [name, base];
    this.#address.value = mine?.address ?? base;
    this.#model.value = mine?.model ?? "";
    this.#key.value = mine?.key ?? "";
    this.#key.placeholder = keyless ? "none needed" : "";
    this.#keep.checked = Boolean(mine);
    this.#for = this.#origin();
    this.#say();
  }

  /** judge is whom they name; an error says what is wrong with them. */
  judge(): Judge {
    const address = this.#address.value.trim(), model = this.#model.value.trim(), key = this.#key.value.trim();
    const why = refused(address) ?? (model ? unsendable(key) : "Name a model.");
    if (why) throw new Error(why);
    return endpoint({ provider: this.#provider, address, model, key });
  }

  #origin(): string {
    try {
      return new URL(this.#address.value.trim()).origin;
    } catch {
      return "";
    }
  }

  /** moved forgets a key that was given for somewhere else. */
  #moved(): void {
    if (this.#key.value && this.#origin() !== this.#for) this.#key.value = "";
    this.#for = this.#origin();
    this.#kept();
    this.#say();
  }

  #kept(): void {
    this.#for = this.#origin();
    if (!this.#keep.checked) return keepForSession();
    keepForSession({ provider: this.#provider, address: this.#address.value.trim() || this.#base, model: this.#model.value.trim(), key: this.#key.value.trim() });
  }

  #say(): void {
    const address = this.#address.value.trim();
    this.#whom.textContent = refused(address) ?? `A run sends the case and its answer to ${this.#origin()} and to nobody else; the key goes there alone and stays in memory unless it is kept.`;
  }
}
