// Package selection expands a selection from the word to the whole file.
package selection
