// Package nfkc brings text into Unicode's normalization form KC, in which
// full-width letters, ligatures and letters with loose accents are the same
// text as their plain spellings, and into lower case.
//
// The metrics of package metric are defined over both. The algorithm is
// Unicode's (UAX #15) and short; its data is table.txt, written by this
// package's test from golang.org/x/text and held against it there. The engine
// itself links no third-party tables: they would be a tenth of its size as
// WebAssembly.
package nfkc
