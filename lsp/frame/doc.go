// Package frame carries JSON-RPC messages over a byte stream as editors do: a
// header with the length, a blank line, the body.
//
// It bounds what a peer may make us hold. A header that the protocol does not know
// ends the connection. A body that is not one message is answered with an error and
// skipped, where the library's own stream ends the connection. It knows no method
// of the language server protocol.
package frame
