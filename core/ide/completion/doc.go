// Package completion proposes keys, values, names and paths for the text at the cursor.
package completion
