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

// WriteOverlay writes the file that has `go build -overlay` take package nohttp
// for net/http. Of the module's packages only the validator imports that.
func WriteOverlay(file string) error {
	there, err := folderOf("net/http")
	if err != nil {
		return err
	}
	instead, err := folderOf(module + "wasm/artefact/nohttp")
	if err != nil {
		return err
	}
	sources, err := filepath.Glob(filepath.Join(there, "*.go"))
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for _, source := range sources {
		replace[source] = "" // as if it were not there
	}
	replace[filepath.Join(there, "http.go")] = filepath.Join(instead, "http.go")
	body, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}

func folderOf(path string) (string, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	return filepath.Clean(string(dir[:len(dir)-1])), nil
}
