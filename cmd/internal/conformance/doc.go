// Package conformance runs input/expected pairs taken from the reference
// implementations through the product's own functions. It holds tests only:
// one adapter per kind of case, each as thin as the kind allows.
//
// The files validator_*_test.go are an oracle: what `agentv validate` of each
// version reports for a file. It is narrower than our rules in most places (it
// checks no rubric) and stricter in some: it rejects messages that its own
// loader reads. Findings come in its order. It opens no file.
// Categories that no conformance case fixes are named like those that one does.
// The tests of the oracle are in validator_*_cases_test.go.
package conformance
