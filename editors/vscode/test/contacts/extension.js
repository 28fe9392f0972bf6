// Runs in the extension's host from the start, and writes to $CONTACTS_LOG
// every address that the process asks for; of its own it asks for one of this machine,
// by which a test sees that it watches.
'use strict'
const { appendFileSync } = require('node:fs')
const net = require('node:net')
const dgram = require('node:dgram')

const note = (address) => appendFileSync(process.env.CONTACTS_LOG, `${address}\n`)

/** hostOf returns host:port of the arguments of connect, in each of their forms; undefined for a pipe. */
function hostOf(given) {
  const [to, host] = Array.isArray(given[0]) ? given[0] : given
  const { path, port, host: named } = typeof to === 'object' ? to : isNaN(to) ? { path: to } : { port: to, host: typeof host === 'string' ? host : undefined }
  return path ? undefined : `${named ?? 'localhost'}:${port}`
}

exports.activate = () => {
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (...given) {
    const address = hostOf(given)
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
