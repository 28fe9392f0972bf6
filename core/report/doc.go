// Package report holds what every form of a report shows of a run's records: their
// totals, their criteria as rows, the words for both; and it writes them as one page
// of HTML, which is the same from the command line, in an editor and in a browser.
//
// The page is written by hand, since the library's templates would add a sixth to
// the size of the WebAssembly module: every text goes through [writer.text].
package report
