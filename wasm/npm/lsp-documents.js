// The open documents of a client. The evaluator holds them too. After a crash, or when another evaluator takes over,
// Documents sends them again.
import { EvaluatorError } from "./engine.js";

/** Documents asks an evaluator about open documents, by URI. */
export class Documents {
  #engine;
  #openDocuments = new Map(); // { version, text, isEvalFile } by URI
  #rules = {};
  #together;
  #keptRecords; // the latest record of each case, by document and case; undefined unless another evaluator may take over
  #lastRecord = {}; // the entry of #keptRecords that was added last

  /** `whole` says whether another evaluator may take over. */
  constructor(engine, { together, whole }) {
    this.#engine = engine;
    this.#together = together;
    if (whole) this.#keptRecords = new Map();
  }

  /** open adds a document. Like `change` and `close` it returns the URIs of other documents whose diagnostics may have changed. */
  async open({ uri, version, text }) {
    const d = { version, text, isEvalFile: false };
    this.#openDocuments.set(uri, d);
    return this.#sendDocument(uri, d);
  }

  async change({ uri, version }, changes) {
    const d = this.#find(uri);
    d.text = changes.reduce(applyChange, d.text);
    d.version = version;
    try {
      const sentChanges = changes.map(({ range, text }) => ({ range, text }));
      const { recognised, affected } = await this.#engine.edit({ document: uri, version, changes: sentChanges });
      d.isEvalFile = recognised;
      return affected;
    } catch (error) {
      if (error.code !== "not-open") throw error;
      return this.#sendDocument(uri, d);
    }
  }

  async close(uri) {
    this.#find(uri);
    this.#openDocuments.delete(uri);
    for (const [key, { document }] of this.#keptRecords ?? []) if (document === uri) this.#keptRecords.delete(key);
    try {
      return (await this.#engine.forget({ document: uri })).affected;
    } catch (error) {
      if (error.code !== "not-open") throw error;
    }
  }

  /** applyRules changes the severities of rules. It returns the affected documents, and the problems with the settings. */
  async applyRules(rules) {
    if (JSON.stringify(rules) === JSON.stringify(this.#rules)) return { affected: [], problems: [] };
    const { problems = [] } = await this.#engine.open({ document: "rubric.rules", text: "", rules });
    await this.#engine.forget({ document: "rubric.rules" });
    this.#rules = rules;
    const affected = [...this.#openDocuments.keys()];
    for (const uri of affected) await this.#sendDocument(uri, this.#openDocuments.get(uri));
    return { affected, problems };
  }

  has(uri) {
    return this.#openDocuments.has(uri);
  }

  version(uri) {
    return this.#openDocuments.get(uri)?.version;
  }

  /** answer answers a request of the protocol. */
  async answer(request) {
    let answer = await this.#engine.lsp(request);
    const lost = answer.closed && this.#openDocuments.get(answer.closed);
    if (lost) {
      await this.#sendDocument(answer.closed, lost);
      answer = await this.#engine.lsp(request);
    }
    if (answer.error) throw new EvaluatorError(answer.error.code, answer.error.message);
    return answer;
  }

  /** findings returns the diagnostics of a document as JSON text. */
  async findings(uri) {
    return this.#openDocuments.get(uri)?.isEvalFile ? this.#withReopen({ document: uri }, (params) => this.#engine.text("diagnose", params)) : "[]";
  }

  /** call calls any method of the evaluator. */
  async call(method, params) {
    const result = await this.#withReopen(params, () => this.#engine.call(method, params));
    if (method === "keep" && this.#keptRecords) this.#keep(params);
    return result;
  }

  /** wholeWanted names what open files need of the whole evaluator, if this is the small one. */
  async wholeWanted() {
    return (await this.#engine.version()).wholeWanted;
  }

  /** switchEngine moves all documents and kept results to another evaluator, which answers from now on. It returns the URIs of the documents. */
  async switchEngine(engine) {
    const records = this.#keptRecords.values();
    this.#engine = engine;
    this.#keptRecords = this.#lastRecord = undefined;
    const uris = [...this.#openDocuments.keys()];
    for (const uri of uris) await this.#sendDocument(uri, this.#openDocuments.get(uri));
    for (const record of records) await engine.keep(record).catch(() => {}); // the case may be gone
    return uris;
  }

  /** keep stores the record of a case. The evaluator knows it as long as the document is open. */
  #keep({ document, text, stale, record, config, recorded }) {
    const latest = { document, text, stale, record, config, recorded }, before = this.#lastRecord;
    for (const key of ["text", "config", "recorded"]) if (latest[key] === before[key]) latest[key] = before[key]; // a thousand cases share one copy of the text
    this.#keptRecords.set(`${document}\n${record.eval_id}`, latest);
    this.#lastRecord = latest;
  }

  /** withReopen calls `request`. If the evaluator no longer knows the document, it sends the document and calls again. */
  async #withReopen(params, request) {
    try {
      return await request(params);
    } catch (error) {
      const uri = params.document, d = this.#openDocuments.get(uri);
      if (error.code !== "not-open" || !d) throw error;
      await this.#sendDocument(uri, d);
      return request(params);
    }
  }

  #find(uri) {
    const d = this.#openDocuments.get(uri);
    if (!d) throw new Error(`\`${uri}\` is not open`);
    return d;
  }

  async #sendDocument(uri, d) {
    const { recognised, affected } = await this.#engine.open({ document: uri, path: formatPath(uri), version: d.version, text: d.text, rules: this.#rules, together: this.#together });
    d.isEvalFile = recognised || d.isEvalFile;
    return affected;
  }
}

/** formatPath returns the path of a URI, from which the evaluator tells the format. */
function formatPath(uri) {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}

/** applyChange applies an LSP content change to a text. */
export function applyChange(before, { range, text }) {
  if (!range) return text;
  const start = offsetAt(before, range.start), end = offsetAt(before, range.end);
  return before.slice(0, start) + text + before.slice(Math.max(start, end));
}

/** offsetAt returns the offset of an LSP position. A character beyond the end of a line means that end. */
function offsetAt(text, { line, character }) {
  const ends = /\r\n|\n|\r/g;
  for (; line > 0; line--) {
    if (!ends.exec(text)) return text.length;
  }
  const start = ends.lastIndex, end = ends.exec(text)?.index ?? text.length;
  return Math.min(start + character, end);
}
