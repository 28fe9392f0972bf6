package host

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Lookup gives the value of an environment variable: of the process, else of
// the nearest .env that sets it among the folders of an eval file. It reads
// them once; one that is not there or not text sets nothing.
func Lookup(evalFile string) func(string) (string, bool) {
	files := map[string]string{}
	for _, dir := range slices.Backward(Folders(evalFile)) {
		if text, err := Read(filepath.Join(dir, ".env")); err == nil {
			maps.Copy(files, parseEnv(text))
		}
	}
	return func(name string) (string, bool) {
		if value, ok := os.LookupEnv(name); ok {
			return value, true
		}
		value, ok := files[name]
		return value, ok
	}
}
