// Package lsp is the language server: what editors ask, answered from analyses
// of what they have open.
//
// A [Server] serves sessions over standard input and output, TCP and WebSocket.
// A session hears notifications one at a time and in order; they alone change
// what is known, by putting a new immutable [Snapshot] in place of the old one
// (as do answers of the client's to what a notification made us ask). A request
// takes the snapshot of the moment it is read and is answered beside the others
// from that, so it needs no lock, sees no half of a change, and can be
// cancelled. (One waits for later ones, if a client that has everything asks for
// what is new in its workspace.) Findings are pushed by one worker for each
// document, which always looks at the newest snapshot: what was overtaken is not
// sent.
//
// The table of methods is in routes.go. To add a method, add a file with its
// function and a row there. Only convert.go knows both the protocol's types and
// the core's.
//
// The library that gives the protocol's types has a server of its own. It is not
// used: it runs notifications beside each other, so that quick edits end in the
// wrong text, and ends the session on any fault of the client's.
//
// Long work is a job: it outlives the request that asked for it, is told of as it
// goes, can be cancelled, and ends with the session. What cases came to is kept by
// their ids, with what it depends on, and reckoned against the text as it is now.
//
// Nothing here starts a process or opens a connection; files are read through
// the [Disk] that a server is given, and what a person asks to be run is run by
// its [Host].
package lsp
