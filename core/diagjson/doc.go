// Package spoken writes what an editor is told of a file as a list in JSON, with the
// words of the last time wherever they are the same: of a thousand findings a
// keystroke changes a few, and to encode them all is most of what it costs.
//
// It keeps those words between two questions. Of the protocol it knows only the range
// that a diagnostic begins with, and of what is said nothing.
package diagjson
