// Package address says where a model is asked: the whole URL, and the headers. It is a
// package of its own for net/url's sake, which a page has already and would have to load
// once more with the evaluator.
package address
