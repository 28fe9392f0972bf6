// Package api is the evaluator as one Go function: a JSON request in, a JSON response out.
//
//	{"id":1,"method":"score","params":{…}} → {"id":1,"result":{…}}
//	                                       or {"id":1,"error":{"code":"…","message":"…"}}
//
// The command `rubric call` and the WebAssembly module only wrap this function, so both return the
// same bytes. Positions are those of the Language Server Protocol, with columns in UTF-16. The
// package reads no files and opens no connections. The host passes the replies of a judge as
// parameters.
//
// Earlier requests never change the answer about a text. An open document stays in memory until
// `forget`, with the JSON of its last findings. Names resolve across open documents.
//
// Editor methods return LSP shapes. The package declares these types itself, because the protocol
// library would double the size of the module. A test compares the results with those of the
// language server.
package api
