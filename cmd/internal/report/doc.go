// Package report shows and writes what a run found: as a table for people, as
// JSON lines that can be scored again, as JSON, as JUnit for build servers, and
// as one HTML page that needs nothing but a browser.
//
// Every form is a function of the same records and a writer. The package opens
// no file.
package report
