package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/adk"
)

// FindEvalFiles returns the files that paths stand for, each once: a file itself, whatever its
// name, and the eval files below a directory, sorted. Directories named node_modules, and those
// that start with a dot other than .agentv, are skipped. Links to files are followed; links to
// directories are not. errs holds what cannot be read, worded as in [ReadFile]; the rest is
// returned all the same.
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
			errs = append(errs, FileError(path, err))
			continue
		}
		if !info.IsDir() {
			add(path)
			continue
		}
		err = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				errs = append(errs, FileError(at, err))
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
					errs = append(errs, fmt.Errorf("%s: is a link to a file that does not exist", at))
				} else if err != nil {
					errs = append(errs, FileError(at, err))
				} else if info.Mode().IsRegular() {
					add(at)
				}
			}
			return nil
		})
		if err != nil {
			errs = append(errs, FileError(path, err))
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

// SearchFolders returns the directories in which the references of an eval file are searched: its
// own, those above it up to the repository's root (the first directory with a .git), and the
// working directory. Outside a repository, directories above the file are not searched, because
// they may belong to somebody else.
func SearchFolders(evalFile string) []string {
	dir, err := filepath.Abs(filepath.Dir(evalFile))
	if err != nil {
		return []string{"."}
	}
	folders := RepositoryFolders(dir)
	if folders == nil {
		folders = []string{dir}
	}
	if cwd, err := os.Getwd(); err == nil && !slices.Contains(folders, cwd) {
		folders = append(folders, cwd)
	}
	return folders
}

// RepositoryFolders returns dir and the directories above it up to the root of its repository;
// nil if it is in none.
func RepositoryFolders(dir string) (folders []string) {
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

// SearchHint says in messages where a search looks besides the eval file's directory.
func SearchHint(evalFile string) string {
	if RepositoryFolders(SearchFolders(evalFile)[0]) != nil {
		return "or above it"
	}
	return "or in the working folder (parent folders are searched only in a Git repository)"
}

// Locate returns the path of a file that an eval file refers to, within the eval file's [Root],
// or "" if there is none. A leading slash stands for the search directories, not for the root of
// the disk.
func Locate(evalFile, reference string) string {
	path, _ := LookupFile(evalFile, reference)
	return path
}

// LookupFile is [Locate] with an error if the file exists, but outside the root.
func LookupFile(evalFile, reference string) (path string, err error) {
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

// FindTargetsFile returns the first targets file beside an eval file or above it, or "".
func FindTargetsFile(evalFile string) string {
	for _, dir := range SearchFolders(evalFile) {
		for _, name := range []string{"targets.yaml", "targets.yml", ".agentv/targets.yaml", ".agentv/targets.yml"} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// ResolveFrom returns dir relative to home; an empty dir is home.
func ResolveFrom(home, dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, dir)
}
