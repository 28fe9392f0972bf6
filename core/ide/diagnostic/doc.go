// Package diagnostic limits the diagnostics that an editor shows of one file.
package diagnostic
