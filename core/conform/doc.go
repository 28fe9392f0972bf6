// Package conform compares a tree with a table of package schema and gives the
// facts: which key is unknown, which is missing, which value has another type
// or lies out of bounds, and where. It never words them.
//
// What could not be read of a broken text is not held against it: a mapping
// that lines were left out of lacks no keys.
package conform
