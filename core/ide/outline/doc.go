// Package outline lists the cases, criteria and graders of a file, and searches them.
package outline
