// Package navigation leads from a name to its declaration and uses, renames it, and follows links to files.
package navigation
