package host

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/joho/godotenv"
)

// Lookup gives the value of an environment variable: of the process, else of
// the nearest .env among the folders of an eval file. It reads them once.
func Lookup(evalFile string) func(string) (string, bool) {
	files := map[string]string{}
	for _, dir := range slices.Backward(Folders(evalFile)) {
		// A .env that is missing or cannot be read sets nothing.
		if values, err := godotenv.Read(filepath.Join(dir, ".env")); err == nil {
			for name, value := range values {
				files[name] = value
			}
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
