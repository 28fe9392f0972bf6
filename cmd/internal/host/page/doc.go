// Package page serves the playground: static files that are built into this
// program, and the language server's WebSocket beside them.
//
// The files are built from editors/playground and are not in the repository, as
// the evaluator's module is not; a program built without them says so. Each is
// kept compressed, by gzip and by brotli, and goes out as it is kept.
//
// Only this machine is served, and only under its own name: a foreign page whose
// domain resolves to this machine is refused, and the WebSocket wants a token
// besides. Nothing is fetched from anywhere.
package page
