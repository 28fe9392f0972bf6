// Runs beside the extension in its host from the beginning, and writes into $DIALLED
// every address that the process asks for; of its own it asks for one of this machine,
// by which a test sees that it watches.
'use strict'
const { appendFileSync } = require('node:fs')
const net = require('node:net')
const dgram = require('node:dgram')

const note = (address) => appendFileSync(process.env.DIALLED, `${address}\n`)

/** dialled is the address that a socket is given, in any of Node's ways to say it; none for a pipe. */
function dialled(given) {
  const [to, host] = Array.isArray(given[0]) ? given[0] : given
  const { path, port, host: named } = typeof to === 'object' ? to : isNaN(to) ? { path: to } : { port: to, host: typeof host === 'string' ? host : undefined }
  return path ? undefined : `${named ?? 'localhost'}:${port}`
}

exports.activate = () => {
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (...given) {
    const address = dialled(given)
    if (address) note(address)
    return connect.apply(this, given)
  }
  const { send } = dgram.Socket.prototype
  dgram.Socket.prototype.send = function (...given) {
    note('a datagram')
    return send.apply(this, given)
  }
  net.connect(9, '127.0.0.1').on('error', () => {}) // nobody is there
}
