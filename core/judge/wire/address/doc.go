// Package address makes whole requests of what package wire composes: the URL below
// which a model is, and its headers. It is a package of its own for net/url's sake,
// which a page has already and would have to load once more with the evaluator.
package address
