package resultstore

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/run"
)

// EditorResults stores the results of runs from editors, in a folder for each eval file with a result
// file for each run. Several processes can use it at a time, because each writes its own files.
type EditorResults struct{ Folder string }

// DefaultEditorResults returns the store in the user's cache directory.
func DefaultEditorResults() (EditorResults, error) {
	folder, err := os.UserCacheDir()
	return EditorResults{filepath.Join(folder, "rubric", "results")}, err
}

func (s EditorResults) folderOf(evalFile string) string {
	sum := sha256.Sum256([]byte(filepath.Clean(evalFile)))
	return filepath.Join(s.Folder, fmt.Sprintf("%s-%x", filepath.Base(evalFile), sum[:8]))
}

// savedLine is a line of a stored run: a record, with what the editor adds to it.
type savedLine struct {
	run.Record
	Editor json.RawMessage `json:"editor"`
}

// Save appends results to the files of their runs. Only the user can read these.
func (s EditorResults) Save(evalFile string, results []run.SavedResult) error {
	for len(results) > 0 {
		name := results[0].Run
		var lines bytes.Buffer
		encoder := json.NewEncoder(&lines)
		encoder.SetEscapeHTML(false)
		for len(results) > 0 && results[0].Run == name {
			if err := encoder.Encode(savedLine{results[0].Record, results[0].Editor}); err != nil {
				return err
			}
			results = results[1:]
		}
		if err := disk.AppendPrivate(filepath.Join(s.folderOf(evalFile), name+".jsonl"), lines.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// Load returns the last results of each case, at most so many, the last run first. It removes the files
// of runs that have none of them. A line that a crash cut short counts as absent.
func (s EditorResults) Load(evalFile string, each int) (found []run.SavedResult) {
	folder := s.folderOf(evalFile)
	entries, _ := os.ReadDir(folder) // without a folder there are no results
	count := map[string]int{}
	for _, entry := range slices.Backward(entries) {
		name, isRun := strings.CutSuffix(entry.Name(), ".jsonl")
		if !isRun {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		results := readSaved(path, name)
		before, seen := len(found), map[string]bool{}
		for _, r := range slices.Backward(results) { // the last of a case counts
			if !seen[r.Record.EvalID] && count[r.Record.EvalID] < each {
				found = append(found, r)
				count[r.Record.EvalID]++
			}
			seen[r.Record.EvalID] = true
		}
		if len(results) > 0 && len(found) == before {
			_ = os.Remove(path) // the next load tries again
		}
	}
	return found
}

// Move moves the results of an eval file, or of the eval files in a folder, that was renamed. They replace
// those of an earlier file with the new name. What cannot be moved is absent then.
func (s EditorResults) Move(from, to string) {
	files, _ := disk.FindEvalFiles([]string{to})
	for _, file := range files {
		if rest, err := filepath.Rel(to, file); err == nil {
			folder := s.folderOf(file)
			_ = os.RemoveAll(folder)
			_ = os.Rename(s.folderOf(filepath.Join(from, rest)), folder)
		}
	}
}

// readSaved reads the results of a run.
func readSaved(path, name string) (all []run.SavedResult) {
	body, _ := os.ReadFile(path) // what cannot be read is absent
	for line := range bytes.Lines(body) {
		var decoded savedLine
		if json.Unmarshal(line, &decoded) == nil && decoded.EvalID != "" {
			decoded.Upgrade()
			all = append(all, run.SavedResult{Record: decoded.Record, Run: name, Editor: decoded.Editor})
		}
	}
	return all
}

// Size returns the size of all results in bytes.
func (s EditorResults) Size() (size int64) {
	_ = filepath.WalkDir(s.Folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
