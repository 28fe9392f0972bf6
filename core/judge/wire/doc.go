// Package wire is how providers of models are spoken to: what to send for a
// question, and what an answer in their own format says. A provider is a value in
// a file of its own, with goldens in testdata/wire.
//
// Everything here is a pure function of its arguments. Who sends a request and
// brings back a [Reply], over which connection and how often, is the host's
// business: the command line uses Go's client, a page uses fetch.
//
// What keeps an answer from being one is a [Fault] whose kind tells a model that
// refused from one that was cut short, and what passes with time from what does
// not. Whether an answer is any good is not asked here.
package wire
