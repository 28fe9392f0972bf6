// The server as a thread of the extension host's, where no process may be started.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  AbstractMessageReader, AbstractMessageWriter, type DataCallback, type Disposable, type Message, type MessageTransports,
} from 'vscode-languageclient/node'

/** thread starts the server that a folder has for it. */
export function thread(dist: string): MessageTransports {
  const worker = new Worker(path.join(dist, 'server.js'), { env: {}, stderr: true })
  worker.postMessage({ module: readFileSync(path.join(dist, 'rubric.wasm')) })
  return { reader: new Reader(worker), writer: new Writer(worker) }
}

class Reader extends AbstractMessageReader {
  constructor(private readonly worker: Worker) {
    super()
    worker.on('error', (fault) => this.fireError(fault)).on('exit', () => this.fireClose())
  }

  listen(callback: DataCallback): Disposable {
    this.worker.on('message', callback)
    return { dispose: () => this.worker.off('message', callback) }
  }

  override dispose() {
    super.dispose()
    void this.worker.terminate()
  }
}

class Writer extends AbstractMessageWriter {
  constructor(private readonly worker: Worker) {
    super()
  }

  async write(message: Message) {
    this.worker.postMessage(message)
  }

  end() {}
}
