package host

import (
	"os"
	"path/filepath"
)

// SameFile reports whether two paths are one file, or would be.
func SameFile(a, b string) bool {
	one, errOne := os.Stat(a)
	two, errTwo := os.Stat(b)
	if errOne == nil && errTwo == nil {
		return os.SameFile(one, two)
	}
	absA, errOne := filepath.Abs(a)
	absB, errTwo := filepath.Abs(b)
	return errOne == nil && errTwo == nil && absA == absB
}
