// Package lsptest is an editor for tests: it starts a session in memory, sends
// what it is told and keeps what comes.
//
// It shares nothing with the server but the bytes and the list of the protocol's
// methods: its framing is its own, and messages are encoding/json's. Waiting is
// for messages, never for time to pass; a session that stays silent fails the
// test.
package lsptest
