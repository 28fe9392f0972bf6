// Package quickjson is encoding/json for what each case of a run has written and read:
// fingerprints, questions, replies and records. It finds out once how a type is written,
// and reads a text once; see the benchmark. What is seldom (a type that writes itself,
// fields that hide one another, an escaped character by its number) it leaves to
// encoding/json, and so it does all words on what is wrong with a text.
//
// It must never mean anything else than encoding/json does: fuzz tests hold one against
// the other.
package quickjson
