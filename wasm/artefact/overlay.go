package artefact

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Schemas is the build tag of the larger module.
const Schemas = "schemas"

// instead are packages of this folder that are taken for others of Go's own in a
// build with some tags: those have much that the module would carry and never use.
func instead(tags string) map[string]string {
	packages := map[string]string{
		"crypto/internal/boring": "noboring",
		"internal/godebug":       "nogodebug",
	}
	if tags == Schemas {
		packages["net/http"] = "nohttp" // the validator's only
	} else {
		packages["os"] = "noos" // of which the validator names more
	}
	return packages
}

// WriteOverlay writes the file that has `go build -overlay` take these packages for
// those, in a build with the given tags.
func WriteOverlay(file, tags string) error {
	replace := map[string]string{}
	for path, other := range instead(tags) {
		if err := overlay(replace, path, module+"wasm/artefact/"+other); err != nil {
			return err
		}
	}
	body, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}

// overlay has the files of another package stand in a package's folder, alone.
func overlay(replace map[string]string, path, other string) error {
	there, err := folderOf(path)
	if err != nil {
		return err
	}
	from, err := folderOf(other)
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(there, "*.go"))
	if err != nil {
		return err
	}
	for _, source := range old {
		replace[source] = "" // as if it were not there
	}
	own, err := filepath.Glob(filepath.Join(from, "*.go"))
	for _, source := range own {
		replace[filepath.Join(there, filepath.Base(source))] = source
	}
	return err
}

func folderOf(path string) (string, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	return filepath.Clean(string(dir[:len(dir)-1])), nil
}
