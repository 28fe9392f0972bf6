// Package judge is the port to whoever answers questions about a submission: a
// model, a recording, a person, or the offline stand-in.
//
// A judge has one method, so wrappers compose: they take a [Judge] and return
// one. A judge answers text; what the text means is package grade's business.
// Nothing here opens a connection, reads a clock or knows a provider.
package judge
