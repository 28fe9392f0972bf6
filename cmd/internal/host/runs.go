package host

import (
	"bufio"
	"os"
	"path/filepath"
	"time"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// ResultsFolder is where the reference implementation keeps results, below the
// folder that it is started in.
const ResultsFolder = ".agentv/results"

// RunFile is a file of results.
type RunFile struct {
	Path     string
	Modified time.Time
}

// ListRunFiles are the files of results in a folder, but not below it, by name. A
// .jsonl file is one if its first line is a result.
func ListRunFiles(folder string) (found []RunFile, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fileError(folder, err)
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && filepath.Ext(path) == ".jsonl" && isResultsFile(path) {
			found = append(found, RunFile{path, info.ModTime()})
		}
	}
	return found, nil
}

// isResultsFile looks at a file's first line.
func isResultsFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadBytes('\n')
	return score.IsResult(line)
}

// FindRunFile gives the file of a run for its name, with or without `.jsonl`: here, or
// where the reference keeps results.
func FindRunFile(name string) string {
	for _, folder := range []string{"", ResultsFolder} {
		for _, ext := range []string{"", ".jsonl"} {
			path := filepath.Join(folder, name+ext)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path
			}
		}
	}
	return name
}

// EachRecord visits the records of a file of results, one at a time.
func EachRecord(path string, visit func(run.Record) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fileError(path, err)
	}
	defer f.Close()
	if _, err = scanRecords(f, func(rec *run.Record, _ RecordSpan) error { return visit(*rec) }); err != nil {
		return fileError(path, err)
	}
	return nil
}

// Exists reports whether there is a file or folder.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
