package wasi

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// MostKept is how many bytes of compiled modules are kept on disk: the evaluator
// and some dozens of graders.
const MostKept = 512 << 20

// keptFile is a compiled module on disk.
type keptFile struct {
	path string
	fs.FileInfo
}

// kept are the compiled modules in a cache's folder, of all versions of the
// compiler, the one that was written last first.
func kept(folder string) (files []keptFile) {
	paths, _ := filepath.Glob(filepath.Join(folder, "wazero-*", "*")) // the pattern is a good one
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() { // else another process was first
			files = append(files, keptFile{path, info})
		}
	}
	slices.SortStableFunc(files, func(a, b keptFile) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.path, b.path))
	})
	return files
}

// Prune does away with what a cache's folder holds beyond a number of bytes, the
// oldest first. Several processes may do so at once: what one of them is reading
// stays readable to it, and what is gone is compiled anew.
func Prune(folder string, most int64) {
	for n, file := range kept(folder) {
		if most -= file.Size(); most < 0 && n > 0 { // the newest may be in use this moment
			os.Remove(file.path)
		}
	}
}
