// A client's settings for us: the severities of rules, under `rubric.rules`.
const section = "rubric";

/** Settings asks a client for its settings where it can be asked, or else hears them. */
export class Settings {
  #session;
  #asks;
  #registers;

  constructor(session, { workspace } = {}) {
    this.#session = session;
    this.#asks = workspace?.configuration === true;
    this.#registers = workspace?.didChangeConfiguration?.dynamicRegistration === true;
  }

  /** begin is when the client may be asked for things. */
  begin() {
    if (this.#registers) {
      const method = "workspace/didChangeConfiguration";
      this.#session.request("client/registerCapability", { registrations: [{ id: method, method, registerOptions: { section } }] }, () => {});
    }
    return this.changed();
  }

  /** changed takes in new settings; clients that can be asked send nothing of use with it. */
  changed(params) {
    if (!this.#asks) return this.#session.settle(params?.settings?.[section]?.rules ?? {});
    this.#session.request("workspace/configuration", { items: [{ section }] }, (answer) => this.#session.settle(answer?.[0]?.rules ?? {}));
  }
}
