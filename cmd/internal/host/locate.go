package host

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SearchFolders are the places in which what an eval file refers to is looked for:
// from the file's own folder up to the repository's root (the first folder with
// a .git), then the working folder. Outside of a repository it is the file's
// folder and the working folder, so that nothing of a stranger's is picked up
// on the way to the root of the disk.
func SearchFolders(evalFile string) []string {
	dir, err := filepath.Abs(filepath.Dir(evalFile))
	if err != nil {
		return []string{"."}
	}
	folders := repositoryFolders(dir)
	if folders == nil {
		folders = []string{dir}
	}
	if cwd, err := os.Getwd(); err == nil && !slices.Contains(folders, cwd) {
		folders = append(folders, cwd)
	}
	return folders
}

// repositoryFolders are a folder and those above it to the root of the repository that it is
// in; nil if it is in none.
func repositoryFolders(dir string) (folders []string) {
	for {
		folders = append(folders, dir)
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return folders
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}

// searchHint says for messages where a search looks besides the eval file's own folder.
func searchHint(evalFile string) string {
	if repositoryFolders(SearchFolders(evalFile)[0]) != nil {
		return "or above it"
	}
	return "or in the working folder (above it is looked in a Git repository only)"
}

// Locate finds a file that an eval file refers to, within the eval file's [Root]; a
// leading slash is not the root of the disk but of the search. It is "" if there is none.
func Locate(evalFile, reference string) string {
	path, _ := locate(evalFile, reference)
	return path
}

// locate is [Locate]; an error says that there is a file outside of the root.
func locate(evalFile, reference string) (path string, err error) {
	reference = strings.TrimLeft(filepath.FromSlash(reference), string(filepath.Separator))
	root := Root(evalFile)
	resolved, rootErr := filepath.EvalSymlinks(root)
	for _, dir := range SearchFolders(evalFile) {
		path := filepath.Join(dir, reference)
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if !isWithin(root, path) {
			err = cmp.Or(err, outsideError(root, path))
			continue
		}
		target, linkErr := filepath.EvalSymlinks(path)
		if rootErr == nil && linkErr == nil && isWithin(resolved, target) {
			return path, nil
		}
		err = cmp.Or(err, fmt.Errorf("%s: is not read: it is a link to %s, outside of %s", path, target, root))
	}
	return "", err
}
