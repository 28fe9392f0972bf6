package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// FindEvalFiles returns the files that paths stand for, each once: a file itself, whatever its
// name, the eval files below a directory, sorted, and those that match a pattern, in which **
// stands for any directories. Directories named node_modules, and those that start with a dot
// other than .agentv, are skipped. Links to files are followed; links to directories are not. errs
// holds what cannot be read, worded as in [ReadFile]; the rest is returned all the same.
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
		switch {
		case err != nil && IsPattern(path):
			err = findMatches(path, add)
		case err != nil:
			err = FileError(path, err)
		case !info.IsDir():
			add(path)
		default:
			errs = append(errs, findBelow(path, add)...)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return files, errs
}

// findBelow adds the eval files below a directory.
func findBelow(path string, add func(path string)) (errs []error) {
	err := filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
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
	return errs
}

// IsPattern reports whether path has characters of a pattern. A file can have them too.
func IsPattern(path string) bool { return strings.ContainsAny(path, "*?[{") }

// findMatches adds the eval files that match a pattern.
func findMatches(pattern string, add func(path string)) error {
	matches, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly())
	if err != nil {
		return fmt.Errorf("%s: is not a valid pattern", pattern)
	}
	found := false
	for _, path := range matches {
		named := func(folder string) bool { return strings.Contains("/"+filepath.ToSlash(pattern), "/"+folder+"/") }
		folders := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
		if isEvalFile(filepath.Base(path)) && !slices.ContainsFunc(folders, func(f string) bool { return strings.Trim(f, ".") != "" && isSkippedFolder(f) && !named(f) }) {
			add(path)
			found = true
		}
	}
	if !found {
		return fmt.Errorf("%s: no eval file matches", pattern)
	}
	return nil
}

func isSkippedFolder(name string) bool {
	return name == "node_modules" || strings.HasPrefix(name, ".") && name != ".agentv"
}

func isEvalFile(name string) bool {
	if strings.HasPrefix(name, ".") {
		return name == agentv.SettingsName // its check says what a run refuses
	}
	lower := strings.ToLower(name)
	switch filepath.Ext(lower) {
	case ".yaml", ".yml", ".jsonl":
		return true
	}
	return adk.IsKnownName(name) || strings.HasSuffix(lower, ".eval.json") || lower == "promptfooconfig.json"
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

// FindInFolders returns the first file with one of some names beside an eval file or above it, or "".
func FindInFolders(evalFile string, names ...string) string {
	for _, dir := range SearchFolders(evalFile) {
		for _, name := range names {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// FindTargetsFile returns the first targets file beside an eval file or above it, or "".
func FindTargetsFile(evalFile string) string {
	return FindInFolders(evalFile, "targets.yaml", "targets.yml", ".agentv/targets.yaml", ".agentv/targets.yml", "providers.yaml", ".agentv/providers.yaml", ".agentv/providers.yml")
}

// ResolveFrom returns dir relative to home; an empty dir is home.
func ResolveFrom(home, dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, dir)
}

// FindFolder returns the folder that an eval file names for a program: as it is if it is absolute and
// exists, or else in the first search directory that has it, where a leading slash does not count. It is
// relative to the eval file if there is none.
func FindFolder(evalFile, dir string) string {
	isFolder := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	if filepath.IsAbs(dir) && isFolder(dir) {
		return dir
	}
	for _, folder := range SearchFolders(evalFile) {
		if path := filepath.Join(folder, dir); isFolder(path) {
			return path
		}
	}
	return filepath.Join(filepath.Dir(evalFile), dir)
}

// ListFiles returns the sorted paths of the files within an eval file's root that a pattern matches,
// relative to the eval file's directory and with slashes.
func ListFiles(evalFile, pattern string) (names []string) {
	folder, err := filepath.Abs(filepath.Dir(evalFile))
	if err != nil {
		return nil
	}
	base, rest := doublestar.SplitPattern(path.Join(filepath.ToSlash(folder), pattern))
	if !isWithin(Root(evalFile), filepath.FromSlash(base)) {
		return nil
	}
	matches, _ := doublestar.Glob(os.DirFS(filepath.FromSlash(base)), rest, doublestar.WithFilesOnly(), doublestar.WithNoFollow())
	for _, match := range matches {
		if name, err := filepath.Rel(folder, filepath.Join(filepath.FromSlash(base), filepath.FromSlash(match))); err == nil {
			names = append(names, filepath.ToSlash(name))
		}
	}
	slices.Sort(names)
	return names
}
