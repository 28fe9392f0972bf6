// Package report computes what every form of a report shows of a run's records: totals, criteria
// as rows, and the wording of both. It also writes the HTML report, which is the same in the
// command line, editors and browsers.
//
// The HTML is written without html/template, which would add a sixth to the size of the
// WebAssembly module. [htmlWriter.markup] escapes every text.
package report
