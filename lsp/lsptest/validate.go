package lsptest

import "testing"

// Validate holds a message of the server's against the protocol's published
// types.
func Validate(t testing.TB, m Message) {
}
