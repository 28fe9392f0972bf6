// Package tables holds the field tables of the dialect's newer versions: what may
// stand in their eval files, lists of tests, prompts, assertions and providers.
//
// What the versions have in common is one Go value, also with the oldest one,
// whose tables are in package agentv. How a key is called in which version is
// said there too, in agentv.Concepts. The tables describe; they read nothing.
package tables
