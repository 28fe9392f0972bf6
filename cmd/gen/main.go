// Command gen writes every derived file: the reference of the fields, the JSON
// Schemas, the pages of the rules, the README's picture, the settings of the VS Code
// extension and the help of the Neovim plugin. A test fails when one of them is
// stale. `gen modules` builds the WebAssembly modules instead, which are in no
// commit.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	write := writeDerived
	if slices.Contains(os.Args[1:], "modules") {
		write = buildModules
	}
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// writeDerived writes the derived files below the repository's root.
func writeDerived(root string) error {
	files, err := derivedFiles(root)
	if err != nil {
		return err
	}
	for name, body := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, body, 0o644); err != nil {
			return err
		}
	}
	return nil
}
