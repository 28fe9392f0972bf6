// Package conformance runs cases recorded from the reference implementations through the
// product's own functions and compares the results. It contains only tests, with one thin
// adapter per kind of case.
//
// The files validator_*_test.go are an oracle: they report what each version of
// `agentv validate` reports for a file, in the same order. The oracle is mostly narrower
// than our rules (it checks no rubrics) and sometimes stricter: it rejects messages that
// AgentV's loader accepts. It opens no files. Categories without a conformance case are
// named like those with one.
package conformance
