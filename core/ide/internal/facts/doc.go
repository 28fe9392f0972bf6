// Package facts describes criteria, cases and outcomes in words that several features show.
package facts
