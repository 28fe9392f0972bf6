// Package effective says, line by line, what of an eval file will be graded and by
// what: defaults filled in, and what is dropped marked. It reads no file but those
// that an analysis has been given, and judges nothing.
package effective
