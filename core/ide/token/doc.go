// Package token classifies words for semantic highlighting.
package token
