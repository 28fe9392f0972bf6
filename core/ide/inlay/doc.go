// Package inlay shows effective values that the text leaves out, and grades of the last run.
package inlay
