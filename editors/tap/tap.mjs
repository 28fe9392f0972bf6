#!/usr/bin/env node
// tap.mjs [ARG…] forwards the bytes between an editor and the server, and logs every message as
// a line of JSON to a new file in $LSP_TAP_LOGS: {from, message}, {from, fault} for invalid data, or
// {from, cut} for the length of an incomplete message. It starts the server $LSP_TAP_COMMAND with its
// own arguments.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const log = fs.openSync(path.join(process.env.LSP_TAP_LOGS, `${process.pid}.jsonl`), 'wx')
const write = (line) => fs.writeSync(log, JSON.stringify(line) + '\n')
const server = spawn(process.env.LSP_TAP_COMMAND, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] })

function forward(from, source, sink) {
  let rest = Buffer.alloc(0)
  source.on('data', (bytes) => {
    sink.write(bytes)
    rest = Buffer.concat([rest, bytes])
    for (let end; (end = rest.indexOf('\r\n\r\n')) >= 0; ) {
      const head = rest.subarray(0, end).toString('latin1')
      const length = /^content-length: *(\d+)$/im.exec(head)?.[1]
      if (!length) return write({ from, fault: `a header without a length: ${head}` })
      const whole = end + 4 + Number(length)
      if (rest.length < whole) return
      const body = rest.subarray(end + 4, whole).toString()
      rest = rest.subarray(whole)
      try {
        write({ from, message: JSON.parse(body) })
      } catch (fault) {
        write({ from, fault: String(fault) })
      }
    }
  })
  source.on('end', () => {
    if (rest.length) write(from === 'server' ? { from, cut: rest.length } : { from, fault: `${rest.length} bytes at the end are not a message` })
    sink.end()
  })
}

forward('client', process.stdin, server.stdin)
forward('server', server.stdout, process.stdout)
for (const stream of [process.stdout, server.stdin]) stream.on('error', () => {}) // the other side is closed
server.on('exit', (code) => {
  write({ from: 'server', exit: code })
  process.exit(code ?? 1)
})
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal))
