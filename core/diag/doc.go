// Package diag is the shape of a finding: where, how bad, what, and how to mend
// it, as data. It also draws a finding for a terminal.
//
// Only rules (package lint) make diagnostics, so every code has one page and
// one voice.
package diag
