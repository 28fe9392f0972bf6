// The client's settings. Only the severities of rules matter, `rubric.rules`.
const section = "rubric";

/** Settings requests the settings from clients that support it, and otherwise reads those that the client sends. */
export class Settings {
  #session;
  #canRequest;
  #canRegister;

  constructor(session, { workspace } = {}) {
    this.#session = session;
    this.#canRequest = workspace?.configuration === true;
    this.#canRegister = workspace?.didChangeConfiguration?.dynamicRegistration === true;
  }

  /** start runs after `initialized`, when requests to the client are allowed. */
  start() {
    if (this.#canRegister) {
      const method = "workspace/didChangeConfiguration";
      this.#session.request("client/registerCapability", { registrations: [{ id: method, method, registerOptions: { section } }] }, () => {});
    }
    return this.update();
  }

  /** update applies new settings. Clients that support requests send no usable settings with the notification. */
  update(params) {
    if (!this.#canRequest) return this.#session.applyRules(params?.settings?.[section]?.rules ?? {});
    this.#session.request("workspace/configuration", { items: [{ section }] }, (answer) => this.#session.applyRules(answer?.[0]?.rules ?? {}));
  }
}
