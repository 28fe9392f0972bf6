package artefact

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// WriteOverlay writes a file for `go build -overlay` that replaces net/http with
// package nohttp. The JSON Schema validator imports net/http to fetch remote schemas,
// which the module never does.
func WriteOverlay(file string) error {
	list := exec.Command("go", "list", "-f", "{{.Dir}}", "net/http", modulePath+"wasm/artefact/nohttp")
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("find net/http: %w", err)
	}
	dirs := strings.Split(strings.TrimSpace(string(out)), "\n")
	sources, err := filepath.Glob(filepath.Join(dirs[0], "*.go"))
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for _, source := range sources {
		replace[source] = "" // an empty path removes the file from the build
	}
	replace[filepath.Join(dirs[0], "http.go")] = filepath.Join(dirs[1], "http.go")
	body, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}
