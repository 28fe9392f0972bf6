// Package frame carries JSON-RPC messages over a byte stream as editors do: a
// header with the length, a blank line, the body.
//
// It bounds what a peer may make us hold, and it is tolerant of everything but
// the framing itself: a body that is no message is answered with an error and
// passed over, where the library's own stream ends the connection. It knows no
// method of the language server protocol.
package frame
