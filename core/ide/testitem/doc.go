// Package testitem lists what can run in a file, as the tree of a test explorer.
package testitem
