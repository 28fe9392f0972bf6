package resultstore

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/run"
)

// ShardFile describes the results of a finished shard. It is stored next to them.
type ShardFile struct {
	Shard    int              `json:"shard"` // from 1
	Count    int              `json:"count"`
	Plan     string           `json:"plan"`               // fingerprint; see [run.ShardPlan]
	Settings map[string]any   `json:"settings,omitempty"` // of the report, by option
	Suites   []ShardSuite     `json:"suites"`             // of the whole run
	LeftOut  []report.LeftOut `json:"left_out,omitempty"` // because of errors
	Results  string           `json:"results_sha256"`

	Path string `json:"-"` // of the results
}

// ShardSuite is an eval file in the report of a run.
type ShardSuite struct {
	Name        string        `json:"name"`
	Path        string        `json:"path"`
	run.Variant               // of several, by the names of options
	TargetName  string        `json:"target_name"` // in records
	Cases       int           `json:"cases"`       // in all shards
	Records     []ShardRecord `json:"records,omitempty"`
}

// ShardRecord describes a record of a shard.
type ShardRecord struct {
	Position int      `json:"position"`              // in the whole suite
	Duration *float64 `json:"duration_ms,omitempty"` // of the case; nil for a reused result
}

const shardPrefix = "shard-"

// ShardPath returns the path of a shard's results in a folder.
func ShardPath(folder string, s run.Shard) string {
	return filepath.Join(folder, fmt.Sprintf("%s%d-of-%d.jsonl", shardPrefix, s.Index, s.Count))
}

// String names the shard and where it is.
func (f *ShardFile) String() string {
	return fmt.Sprintf("%s in %s", run.Shard{Index: f.Shard, Count: f.Count}, filepath.Dir(f.Path))
}

// WriteShardFile stores the description of the results at path.
func WriteShardFile(path string, f ShardFile) (err error) {
	if f.Results, err = hashFile(path); err != nil {
		return err
	}
	return disk.WriteFile(describedIn(path), func(w io.Writer) error { return json.NewEncoder(w).Encode(f) })
}

// describedIn returns the path of the description of a shard's results.
func describedIn(results string) string { return strings.TrimSuffix(results, "l") }

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", disk.FileError(path, err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", disk.FileError(path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// ReadShards reads the shards of a run from folders, and returns them by number. It returns an error that
// names shards that are missing, doubled, not finished or of another run.
func ReadShards(folders []string) (shards []*ShardFile, err error) {
	for _, folder := range folders {
		found, err := readShardFolder(folder)
		if err != nil {
			return nil, err
		}
		shards = append(shards, found...)
	}
	if err := checkSamePlan(shards); err != nil {
		return nil, err
	}
	generic.SortStable(shards, func(a, b *ShardFile) int { return a.Shard - b.Shard })
	var missing []string
	for number := 1; number <= shards[0].Count; number++ {
		same := slices.DeleteFunc(slices.Clone(shards), func(f *ShardFile) bool { return f.Shard != number })
		if len(same) > 1 {
			return nil, fmt.Errorf("shard %s is also in %s; name one of the folders", same[0], filepath.Dir(same[1].Path))
		}
		if len(same) == 0 {
			missing = append(missing, run.Shard{Index: number, Count: shards[0].Count}.String())
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("the run has no results of %s %s%s", diag.Plural(len(missing), "shard", "shards"), diag.JoinList(missing, "and"), unfinishedHint(folders))
	}
	return shards, checkComplete(shards)
}

func readShardFolder(folder string) (shards []*ShardFile, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, disk.FileError(folder, err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, shardPrefix) || filepath.Ext(name) != ".json" {
			continue
		}
		path := filepath.Join(folder, name)
		f := &ShardFile{Path: path + "l"}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, disk.FileError(path, err)
		}
		if err := json.Unmarshal(text, f); err != nil || ShardPath(folder, run.Shard{Index: f.Shard, Count: f.Count}) != f.Path {
			return nil, fmt.Errorf("%s does not describe a shard", path)
		}
		shards = append(shards, f)
	}
	if len(shards) == 0 {
		return nil, fmt.Errorf("%s has no finished shard%s", folder, unfinishedHint([]string{folder}))
	}
	return shards, nil
}

// unfinishedHint says which shards in folders were interrupted.
func unfinishedHint(folders []string) string {
	for _, folder := range folders {
		if found, _ := filepath.Glob(filepath.Join(folder, shardPrefix+"*.jsonl"+journalSuffix)); len(found) > 0 {
			return fmt.Sprintf("; %s is of an interrupted shard, which `rubric run --shard --resume` continues", found[0])
		}
	}
	return ""
}

// checkSamePlan returns an error if shards are of several runs. It names those of the fewest.
func checkSamePlan(shards []*ShardFile) error {
	count := map[string]int{}
	usual := shards[0]
	for _, f := range shards {
		if count[f.Plan]++; count[f.Plan] > count[usual.Plan] {
			usual = f
		}
	}
	for _, f := range shards {
		if f.Plan != usual.Plan {
			return fmt.Errorf("shard %s is of another run than shard %s: its plan is %.12s, not %.12s; the files, the settings or the earlier results differ", f, usual, f.Plan, usual.Plan)
		}
	}
	return nil
}

// checkComplete returns an error if the results of a shard are not those that it describes, or if
// shards do not have each case once.
func checkComplete(shards []*ShardFile) error {
	for _, f := range shards {
		switch hash, err := hashFile(f.Path); {
		case err != nil:
			return err
		case hash != f.Results:
			return fmt.Errorf("shard %s: %s has changed since the shard was run; run it again with --resume", f, f.Path)
		case len(f.Suites) != len(shards[0].Suites):
			return fmt.Errorf("shard %s describes other files than shard %s", f, shards[0])
		}
	}
	for i := range shards[0].Suites {
		if _, err := ownersOf(shards, i); err != nil {
			return err
		}
	}
	return nil
}

// ownersOf returns the index of the shard that has each case of a suite.
func ownersOf(shards []*ShardFile, suite int) ([]int, error) {
	owners := make([]int, shards[0].Suites[suite].Cases)
	left := len(owners)
	for i, f := range shards {
		for _, rec := range f.Suites[suite].Records {
			if rec.Position < 0 || rec.Position >= len(owners) || owners[rec.Position] != 0 {
				return nil, fmt.Errorf("shard %s has a case that it should not have: number %d of %s", f, rec.Position+1, f.Suites[suite].Path)
			}
			owners[rec.Position] = i + 1
			left--
		}
	}
	if left > 0 {
		at := slices.Index(owners, 0)
		return nil, fmt.Errorf("no shard has the case number %d of %s", at+1, shards[0].Suites[suite].Path)
	}
	for i := range owners {
		owners[i]--
	}
	return owners, nil
}

// ShardReader reads the records of shards in the order of the whole run.
type ShardReader struct {
	shards []*ShardFile
	files  []*os.File
	lines  []*bufio.Reader
}

// OpenShards opens the results of shards that [ReadShards] has checked.
func OpenShards(shards []*ShardFile) (*ShardReader, error) {
	r := &ShardReader{shards: shards}
	for _, f := range shards {
		file, err := os.Open(f.Path)
		if err != nil {
			r.Close()
			return nil, disk.FileError(f.Path, err)
		}
		r.files, r.lines = append(r.files, file), append(r.lines, bufio.NewReaderSize(file, 16<<10))
	}
	return r, nil
}

// Close closes the results.
func (r *ShardReader) Close() {
	for _, file := range r.files {
		file.Close()
	}
}

// ReadSuite calls visit with each line of a suite. Suites are read in their order.
func (r *ShardReader) ReadSuite(suite int, visit func(line []byte) error) error {
	owners, _ := ownersOf(r.shards, suite) // ReadShards has returned its error
	for _, i := range owners {
		line, err := r.lines[i].ReadBytes('\n')
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			return disk.FileError(r.shards[i].Path, err)
		}
		if err := visit(line); err != nil {
			return err
		}
	}
	return nil
}

// WriteShards writes the lines of shards in the order of the whole run.
func WriteShards(w io.Writer, shards []*ShardFile) error {
	r, err := OpenShards(shards)
	if err != nil {
		return err
	}
	defer r.Close()
	for i := range shards[0].Suites {
		err := r.ReadSuite(i, func(line []byte) error {
			_, err := w.Write(line)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadCosts returns what the cases of an earlier run took: of a result file, or of the shards in a folder,
// which hold durations, too. It returns nothing if there is none.
func ReadCosts(path string) (map[run.CaseName]run.CaseCost, error) {
	costs := map[run.CaseName]run.CaseCost{}
	found, _ := filepath.Glob(filepath.Join(path, shardPrefix+"*.json"))
	if len(found) > 0 {
		shards, err := readShardFolder(path)
		for _, f := range shards {
			if err == nil {
				err = f.readCosts(costs)
			}
		}
		return costs, err
	}
	path = FindRunFile(path)
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return costs, nil
	}
	return decodeFile(path, func(r io.Reader) (map[run.CaseName]run.CaseCost, error) {
		_, err := scanRecords(r, func(rec *run.Record, _ run.Place) error {
			costs[rec.Name()] = run.CostOf(rec)
			return nil
		})
		return costs, err
	})
}

func (f *ShardFile) readCosts(costs map[run.CaseName]run.CaseCost) error {
	text, err := os.ReadFile(f.Path)
	if err != nil {
		return disk.FileError(f.Path, err)
	}
	var about []ShardRecord
	for _, suite := range f.Suites {
		about = append(about, suite.Records...)
	}
	for line := range bytes.Lines(text) {
		rec, err := DecodeRecord(line)
		if err != nil || len(about) == 0 {
			return fmt.Errorf("%s does not have the results that %s describes", f.Path, describedIn(f.Path))
		}
		rec.DurationMS, about = about[0].Duration, about[1:]
		costs[rec.Name()] = run.CostOf(&rec)
	}
	return nil
}
