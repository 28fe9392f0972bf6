package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
)

// FindEvalFiles is every file that the paths stand for: a file itself, whatever it is
// called, and the eval files below a folder, sorted. Folders named node_modules
// and those that start with a dot are skipped, .agentv excepted; links to files
// are followed and links to folders are not. A file that goes by several names
// is taken once, by the first. What cannot be read is in errs, in the same words
// as [Read]'s, and does not stop the rest.
func FindEvalFiles(paths []string) (files []string, errs []error) {
	seen := map[string]bool{}
	add := func(path string) {
		path = filepath.Clean(path)
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			target = path
		}
		if absolute, err := filepath.Abs(target); err == nil {
			target = absolute
		}
		if !seen[target] {
			seen[target] = true
			files = append(files, path)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			errs = append(errs, fileError(path, err))
			continue
		}
		if !info.IsDir() {
			add(path)
			continue
		}
		err = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				errs = append(errs, fileError(at, err))
				if entry != nil && entry.IsDir() {
					return filepath.SkipDir
				}
			case entry.IsDir() && at != path && isSkippedFolder(entry.Name()):
				return filepath.SkipDir
			case !isEvalFile(entry.Name()):
			case entry.Type().IsRegular():
				add(at)
			case entry.Type()&fs.ModeSymlink != 0:
				info, err := os.Stat(at)
				if errors.Is(err, fs.ErrNotExist) {
					errs = append(errs, fmt.Errorf("%s: is a link to a file that is not there", at))
				} else if err != nil {
					errs = append(errs, fileError(at, err))
				} else if info.Mode().IsRegular() {
					add(at)
				}
			}
			return nil
		})
		if err != nil {
			errs = append(errs, fileError(path, err))
		}
	}
	return files, errs
}

func isSkippedFolder(name string) bool {
	return name == "node_modules" || strings.HasPrefix(name, ".") && name != ".agentv"
}

func isEvalFile(name string) bool {
	if strings.HasPrefix(name, ".") {
		return false
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml", ".jsonl":
		return true
	}
	return adk.IsKnownName(name)
}
