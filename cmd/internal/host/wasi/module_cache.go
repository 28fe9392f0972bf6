package wasi

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// MaxCacheSize is how many bytes of compiled modules are kept on disk: the evaluator
// and some dozens of graders.
const MaxCacheSize = 512 << 20

// cachedModule is a compiled module on disk.
type cachedModule struct {
	path string
	fs.FileInfo
}

// cachedModules are the compiled modules in a cache's folder, of all versions of the
// compiler, the one that was written last first.
func cachedModules(folder string) (files []cachedModule) {
	paths, _ := filepath.Glob(filepath.Join(folder, "wazero-*", "*")) // the pattern is a good one
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() { // else another process was first
			files = append(files, cachedModule{path, info})
		}
	}
	slices.SortStableFunc(files, func(a, b cachedModule) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.path, b.path))
	})
	return files
}

// Prune does away with what a cache's folder holds beyond a number of bytes, the
// oldest first. Several processes may do so at once: what one of them is reading
// stays readable to it, and what is gone is compiled anew.
func Prune(folder string, maxSize int64) {
	for n, file := range cachedModules(folder) {
		if maxSize -= file.Size(); maxSize < 0 && n > 0 { // the newest may be in use this moment
			os.Remove(file.path)
		}
	}
}
