// Package rewrite applies edits to a file and compares the result with the original.
package rewrite
