// Runs the server in a thread of the extension host, for workspaces where no process may start.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  AbstractMessageReader, AbstractMessageWriter, type DataCallback, type Disposable, type Message, type MessageTransports,
} from 'vscode-languageclient/node'

/** startServerThread starts the server of a folder. */
export function startServerThread(dist: string): MessageTransports {
  const worker = new Worker(path.join(dist, 'server.js'), { env: {}, stderr: true })
  worker.postMessage({ module: readFileSync(path.join(dist, 'rubric.wasm')) })
  return { reader: new ThreadReader(worker), writer: new ThreadWriter(worker) }
}

class ThreadReader extends AbstractMessageReader {
  constructor(private readonly worker: Worker) {
    super()
    worker.on('error', (error) => this.fireError(error)).on('exit', () => this.fireClose())
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

class ThreadWriter extends AbstractMessageWriter {
  constructor(private readonly worker: Worker) {
    super()
  }

  async write(message: Message) {
    this.worker.postMessage(message)
  }

  end() {}
}
