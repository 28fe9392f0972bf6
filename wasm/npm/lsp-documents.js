// The documents that a client has open. The evaluator has them too; should it
// have crashed, or another one take its place, it is given them anew.

/** Documents asks an evaluator about what is open, by URI. */
export class Documents {
  #engine;
  #open = new Map(); // { version, text, ours } by URI
  #rules = {};
  #together;
  #records; // for another evaluator: the last record of each case that was run, as it is kept, by document and case
  #last = {}; // of them

  /** `larger` is whether another evaluator may take this one's place. */
  constructor(engine, { together, larger }) {
    this.#engine = engine;
    this.#together = together;
    if (larger) this.#records = new Map();
  }

  /** open takes a document in; like `change` and `close` it gives the others of which there may be something else to say. */
  async open({ uri, version, text }) {
    const d = { version, text, ours: false };
    this.#open.set(uri, d);
    return this.#tell(uri, d);
  }

  async change({ uri, version }, changes) {
    const d = this.#known(uri);
    d.text = changes.reduce(edited, d.text);
    d.version = version;
    try {
      const sent = changes.map(({ range, text }) => ({ range, text }));
      const { recognised, affected } = await this.#engine.edit({ document: uri, version, changes: sent });
      d.ours = recognised;
      return affected;
    } catch (fault) {
      if (fault.code !== "not-open") throw fault;
      return this.#tell(uri, d);
    }
  }

  async close(uri) {
    this.#known(uri);
    this.#open.delete(uri);
    for (const [key, { document }] of this.#records ?? []) if (document === uri) this.#records.delete(key);
    try {
      return (await this.#engine.forget({ document: uri })).affected;
    } catch (fault) {
      if (fault.code !== "not-open") throw fault;
    }
  }

  /** settle gives rules other severities: which documents are affected, and which rules cannot be had. */
  async settle(rules) {
    if (JSON.stringify(rules) === JSON.stringify(this.#rules)) return { again: [], problems: [] };
    const { problems = [] } = await this.#engine.open({ document: "rubric.rules", text: "", rules });
    await this.#engine.forget({ document: "rubric.rules" });
    this.#rules = rules;
    const again = [...this.#open.keys()];
    for (const uri of again) await this.#tell(uri, this.#open.get(uri));
    return { again, problems };
  }

  has(uri) {
    return this.#open.has(uri);
  }

  version(uri) {
    return this.#open.get(uri)?.version;
  }

  /** ask asks the evaluator about a document; `nothing` is the answer where it is not open, or none of ours. */
  async ask(uri, method, params, nothing) {
    return this.#open.get(uri)?.ours ? this.call(method, { document: uri, ...params }) : nothing;
  }

  /** findings are those in a document, as JSON. */
  async findings(uri) {
    return this.#open.get(uri)?.ours ? this.#again({ document: uri }, (params) => this.#engine.text("diagnose", params)) : "[]";
  }

  /** call asks the evaluator anything. */
  async call(method, params) {
    const result = await this.#again(params, () => this.#engine.call(method, params));
    if (!this.#records) return result;
    if (method === "keep") this.#remember(params);
    const settled = method === "run" && result.questions.length + result.programs.length === 0;
    if (settled && this.#open.has(params.document)) {
      const { document, config, recorded } = params;
      const beside = config || recorded ? { config, recorded } : await this.#engine.beside({ document }); // what it was run with
      this.#remember({ document, ...beside, text: this.#open.get(document).text, record: result.record });
    }
    return result;
  }

  /** wanting is whether the evaluator was named a JSON Schema that it does not apply. */
  async wanting() {
    return Boolean((await this.#engine.version()).schemasWanted);
  }

  /** move gives another evaluator what this one was told, to answer in its place from now on, and gives all that is open. */
  async move(engine) {
    const records = this.#records.values();
    this.#engine = engine;
    this.#records = this.#last = undefined;
    const all = [...this.#open.keys()];
    for (const uri of all) await this.#tell(uri, this.#open.get(uri));
    for (const record of records) await engine.keep(record).catch(() => {}); // of a case that is no longer there
    return all;
  }

  /** remember notes what a case came to, of which the evaluator tells as long as the document is open. */
  #remember({ document, text, record, config, recorded }) {
    const now = { document, text, record, config, recorded }, before = this.#last;
    for (const key of ["text", "config", "recorded"]) if (now[key] === before[key]) now[key] = before[key]; // and not a copy for each of a thousand cases
    this.#records.set(`${document}\n${record.eval_id}`, now);
    this.#last = now;
  }

  /** again asks, and if the evaluator does not know the document any more, tells it and asks again. */
  async #again(params, ask) {
    try {
      return await ask(params);
    } catch (fault) {
      const uri = params.document ?? params.data?.uri, d = this.#open.get(uri);
      if (fault.code !== "not-open" || !d) throw fault;
      await this.#tell(uri, d);
      return ask(params);
    }
  }

  #known(uri) {
    const d = this.#open.get(uri);
    if (!d) throw new Error(`\`${uri}\` is not open`);
    return d;
  }

  async #tell(uri, d) {
    const { recognised, affected } = await this.#engine.open({ document: uri, path: path(uri), version: d.version, text: d.text, rules: this.#rules, together: this.#together });
    d.ours = recognised || d.ours;
    return affected;
  }
}

/** path is what of a URI tells the format. */
function path(uri) {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}

/** edited makes a change of a text. */
export function edited(before, { range, text }) {
  if (!range) return text;
  const start = offset(before, range.start), end = offset(before, range.end);
  return before.slice(0, start) + text + before.slice(Math.max(start, end));
}

/** offset is a place in a text; one past a line's end is that end. */
function offset(text, { line, character }) {
  const ends = /\r\n|\n|\r/g;
  for (; line > 0; line--) {
    if (!ends.exec(text)) return text.length;
  }
  const start = ends.lastIndex, end = ends.exec(text)?.index ?? text.length;
  return Math.min(start + character, end);
}
