// Package conformance runs input/expected pairs taken from the reference
// implementations through the product's own functions. It holds tests only:
// one adapter per kind of case, each as thin as the kind allows.
package conformance
