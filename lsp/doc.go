// Package lsp is the language server. It answers editor requests from analyses of the open
// documents.
//
// It has three layers. Package transport carries messages, package internal/cache has what is known
// of a client's files, and this package has the methods: each decodes its parameters, asks the
// workspace or a feature of core/ide, and encodes the answer.
//
// A session handles notifications one at a time, in order. Only notifications, and client answers to the server's own
// requests, change the state: they replace the immutable snapshot. A request runs concurrently on
// the snapshot that was current when the server read it. It needs no lock, sees no partial change,
// and can be cancelled. Only workspace/diagnostic waits for later snapshots, when the client
// already has all reports.
//
// Package core/ide/requests lists the requests about one file, which all hosts of a language server
// answer; methods.go binds them to documents. Its methodTable lists this server's other
// methods. To add one, write its function and add a row.
//
// The protocol library has a server of its own, which this package does not use: it runs
// notifications concurrently, so that fast edits corrupt the text, and it ends the session on any
// malformed message.
//
// A job is long-running work, such as a run. It outlives its request, reports progress, can be
// cancelled, and ends with the session.
//
// This package starts no process and opens no connection. It reads files through [Disk], and the
// [Host] runs what the user asks to run.
package lsp
