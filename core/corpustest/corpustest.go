// Package corpustest provides files for tests: those of this repository, and those of the
// folder that RUBRIC_CORPUS names, if it is set.
package corpustest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// File is a text and its path from the repository's root, with slashes.
type File struct{ Path, Body string }

// Faulty is the collection of files with errors. Only it has syntax errors.
const Faulty = "faulty"

// Files returns the files of a collection, such as agentv-head, that have one of the
// endings: those in testdata/corpus and those in [Folder]/corpus. The collection "" has
// the files of all others but [Faulty].
func Files(t testing.TB, name string, endings ...string) []File {
	t.Helper()
	root := repoRoot(t)
	files := readFiles(t, root, "testdata/corpus/"+name, endings)
	if name == "" {
		files = slices.DeleteFunc(files, func(f File) bool { return strings.HasPrefix(f.Path, "testdata/corpus/"+Faulty+"/") })
	}
	if len(files) == 0 {
		t.Fatalf("testdata/corpus/%s has no file that ends in %q", name, endings)
	}
	if Folder() == "" {
		return files
	}
	return append(files, readFiles(t, root, filepath.Join(Folder(), "corpus", name), endings)...)
}

// Own returns the files of testdata/corpus that have one of the endings.
func Own(t testing.TB, endings ...string) []File {
	t.Helper()
	return readFiles(t, repoRoot(t), "testdata/corpus", endings)
}

// All returns every file of the repository that has one of the endings, and those of
// the corpus and the conformance cases in [Folder].
func All(t testing.TB, endings ...string) []File {
	t.Helper()
	root := repoRoot(t)
	files := readFiles(t, root, ".", endings)
	if Folder() == "" {
		return files
	}
	for _, folder := range []string{"corpus", "conformance"} {
		files = append(files, readFiles(t, root, filepath.Join(Folder(), folder), endings)...)
	}
	return files
}

// Folder returns the absolute path that the variable RUBRIC_CORPUS holds: a folder of other
// projects' files, which tests then read too. It is empty if the variable is not set, so a
// test does not depend on what lies beside the repository.
func Folder() string { return os.Getenv("RUBRIC_CORPUS") }

// repoRoot returns the repository's root: the nearest parent folder with a go.mod.
func repoRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("no go.mod above the working directory: %v", err)
	return ""
}

// readFiles returns the files below a folder that have one of the endings. It skips hidden
// folders, dependencies and files above 200 kB. The folder may be missing.
func readFiles(t testing.TB, root, folder string, endings []string) (files []File) {
	t.Helper()
	if folder = filepath.FromSlash(folder); !filepath.IsAbs(folder) {
		folder = filepath.Join(root, folder)
	}
	if _, err := os.Stat(folder); err != nil {
		return nil
	}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && path != folder && (name == "node_modules" || strings.HasPrefix(name, ".") && name != ".agentv") {
			return fs.SkipDir
		}
		if !entry.Type().IsRegular() || !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(path, e) }) {
			return nil
		}
		body, err := os.ReadFile(path)
		if err == nil && len(body) <= 200_000 {
			relative, _ := filepath.Rel(root, path)
			files = append(files, File{filepath.ToSlash(relative), string(body)})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
