// Package lens shows commands and results above cases.
package lens
