// Package api is the evaluator as a plain Go function: one JSON request in, one
// JSON response out.
//
//	{"id":1,"method":"score","params":{…}} → {"id":1,"result":{…}}
//	                                       or {"id":1,"error":{"code":"…","message":"…"}}
//
// The command line's `call` and the WebAssembly module are this function and
// nothing more, so their answers are the same bytes. Positions are the Language
// Server Protocol's, columns in UTF-16. Nothing here reads files or connects to
// anything; a judge's replies are given as parameters.
//
// What was asked before changes no answer about a text: a few analyses are kept,
// by path, only to be quicker when the same file is asked about after an edit. A
// document that was opened is held, and edited, until it is forgotten, with the JSON
// of the findings that were last asked for; names are followed into the others that
// are open.
//
// What editors ask has the shapes of that protocol, which are written down here
// again since its types would double the module. A test holds the answers against
// the language server's.
package api
