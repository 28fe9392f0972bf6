// Package resultstore stores the records of runs, in result files and in the journal of a run that is
// not finished, and reads recordings.
package resultstore

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	_ "github.com/rubric-ls/rubric/core/dialect/promptfoo/results" // registers its format
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// ReadAnswers reads a target's recorded answers. Of results of several eval files it reads those of evalFile, if there are
// any: the others may have the same ids.
func ReadAnswers(path, evalFile string) (run.Recording, error) {
	return decodeFile(path, func(r io.Reader) (run.Recording, error) {
		body, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("recorded answers: %w", err)
		}
		return run.ReadRecording(linesOf(body, path, evalFile))
	})
}

// linesOf returns the lines of results that are of an eval file or of none, or all if none is of that file.
func linesOf(body []byte, results, evalFile string) (own []byte) {
	isOwn, found := map[string]bool{"": true}, false
	for line := range bytes.Lines(body) {
		name := evalFileOf(line)
		if _, known := isOwn[name]; !known {
			isOwn[name] = disk.SameFile(ResolveEvalFile(name, results), evalFile)
			found = found || isOwn[name]
		}
	}
	if !found {
		return body
	}
	for line := range bytes.Lines(body) {
		if isOwn[evalFileOf(line)] {
			own = append(own, line...)
		}
	}
	return own
}

// evalFileOf returns the eval file that a line of results names, or "".
func evalFileOf(line []byte) (name string) {
	const key = `,"eval_file":` // within a text it has backslashes
	if i := bytes.Index(line, []byte(key)); i >= 0 {
		_ = json.NewDecoder(bytes.NewReader(line[i+len(key):])).Decode(&name) // what is no text is no name
	}
	return name
}

// ResolveEvalFile returns the path of an eval file that results name.
func ResolveEvalFile(name, results string) string {
	path := filepath.FromSlash(name)
	if !disk.Exists(path) && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(results), path)
	}
	return path
}

// ReadReplay reads the recorded answers of a judge or a panel, and returns the judges' names.
func ReadReplay(path string) (judge.Replay, []string, error) {
	replay, err := decodeFile(path, judge.ReadReplay)
	names := replay.Judges
	if len(names) == 0 {
		names = []string{"replay:" + filepath.Base(path)}
	}
	return replay, names, err
}

// byteOrderMark is what some editors and shells begin a file with.
const byteOrderMark = "\ufeff"

// decodeFile reads a file, or the results in a folder of AgentV.
func decodeFile[T any](path string, read func(io.Reader) (T, error)) (value T, err error) {
	path = cmp.Or(FindIndex(path), path)
	f, err := os.Open(path)
	if err != nil {
		return value, disk.FileError(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return value, disk.FolderError(path)
	}
	begun := bufio.NewReader(f)
	if mark, _ := begun.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = begun.Discard(len(mark)) // it is in the buffer
	}
	var lines io.Reader = begun
	head, _ := begun.Peek(run.FormatHeadSize)
	format := slices.IndexFunc(run.Formats(), func(f run.Format) bool { return f.Is(head) })
	switch {
	case format >= 0:
		if lines, err = translate(run.Formats()[format], begun); err != nil {
			return value, fmt.Errorf("%s: %w", path, err)
		}
	case isResultsFile(path):
		if lines, err = translateAgentV(path, begun); err != nil {
			return value, disk.FileError(path, err)
		}
	}
	if value, err = read(lines); err != nil {
		return value, fmt.Errorf("%s: %w", path, err)
	}
	return value, nil
}

// translate returns the results of another tool as records of a run, one a line.
func translate(f run.Format, r io.Reader) (io.Reader, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	records, err := f.Read(body)
	out := &bytes.Buffer{}
	for i := range records {
		if err := records[i].WriteLine(out); err != nil {
			return nil, err
		}
	}
	return out, err
}

// OpenRecording opens a file to which a judge's answers are appended. If a killed run left an
// incomplete line, appending starts on a new line.
func OpenRecording(path string) (io.WriteCloser, error) {
	if err := disk.CheckNotLinked(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, disk.FileError(path, err)
	}
	last := make([]byte, 1)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			if _, err = f.WriteString("\n"); err != nil {
				f.Close()
				return nil, disk.FileError(path, err)
			}
		}
	}
	return f, nil
}

// CheckScores returns an error if a result file has a line without a score.
func CheckScores(path string) error {
	if adk.IsResultsName(path) {
		return nil
	}
	_, err := decodeFile(path, score.ReadScores)
	return err
}

// ReadRecordFile reads a result file. Only in the journal of an interrupted run may the last line be incomplete.
func ReadRecordFile(path string) ([]run.Record, error) {
	if adk.IsResultsName(path) { // which does not name the agent and the judge
		results, err := ReadRecording(path, metric.Latest)
		return generic.Map(results.Cases, func(c adk.RecordedCase) run.Record { return run.NewMetricRecord(results.SetID, c.Case(), c.Measured()) }), err
	}
	return decodeFile(path, func(r io.Reader) ([]run.Record, error) {
		body, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		var records []run.Record
		size, err := scanRecords(bytes.NewReader(body), func(rec *run.Record, _ run.Place) error {
			records = append(records, *rec)
			return nil
		})
		if err == nil && size < int64(len(body)) && !strings.HasSuffix(path, journalSuffix) {
			_, err = DecodeRecord(body[size:])
			err = fmt.Errorf("line %d is not a record of a run: %w; the file may have been cut short", bytes.Count(body, []byte("\n"))+1, err)
		}
		return records, err
	})
}

// ReadRecording reads conversations from a result file of ADK, or from an evalset that a run wrote.
func ReadRecording(path string, p metric.Profile) (adk.Recording, error) {
	body, err := disk.ReadArgument(path)
	if err != nil {
		return adk.Recording{}, err
	}
	r, err := adk.ReadRecording(p, adk.Open(path, body))
	if err != nil {
		return adk.Recording{}, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// ReadResults reads a result file that must hold at least one record.
func ReadResults(path string) ([]run.Record, error) {
	records, err := ReadRecordFile(path)
	if err == nil && len(records) == 0 {
		err = fmt.Errorf("%s holds no results", path)
	}
	return records, err
}

// scanRecords visits the records in JSON lines, each with its position. It skips an incomplete last line, which a
// stopped run was writing. size is the size of the complete lines in bytes.
func scanRecords(r io.Reader, visit func(*run.Record, run.Place) error) (size int64, err error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		last := err == io.EOF
		if err != nil && !last {
			return 0, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			rec, err := DecodeRecord(line)
			switch {
			case err == nil:
				if err := visit(&rec, run.Place{Offset: size, Size: int64(len(line))}); err != nil {
					return 0, err
				}
			case last:
				return size, nil
			default:
				return 0, fmt.Errorf("line %d is not a record of a run: %w", n, err)
			}
		}
		size += int64(len(line))
		if last {
			return size, nil
		}
	}
}

// DecodeRecord decodes a line of a result file.
func DecodeRecord(line []byte) (rec run.Record, err error) {
	err = json.Unmarshal(line, &rec)
	switch {
	case err != nil:
		err = score.ResultError(err)
	case rec.EvalID == "":
		err = errors.New("it has no `eval_id`")
	case rec.Verdict == "" && rec.Score == nil:
		rec.Verdict = score.Ungraded
	case rec.Verdict == "": // another runner's record holds a score alone
		rec.Verdict = score.VerdictOf(*rec.Score)
	}
	rec.Upgrade()
	return rec, err
}

// ResultsFolder is where the reference implementation stores results, below its working
// directory.
const ResultsFolder = ".agentv/results"

// RunFile is a result file.
type RunFile struct {
	Path     string
	Modified time.Time
}

// ListRunFiles lists the result files in a directory, by name, without those in subdirectories, and the
// runs in folders of AgentV. A .jsonl file is a result file if its first line is a result, and ADK's are
// result files by their names.
func ListRunFiles(folder string) (found []RunFile, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, disk.FileError(folder, err)
	}
	paths := append(findRuns(folder), generic.Map(entries, func(entry os.DirEntry) string { return filepath.Join(folder, entry.Name()) })...)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && (adk.IsResultsName(path) || filepath.Ext(path) == ".jsonl" && isResultsFile(path)) {
			found = append(found, RunFile{path, info.ModTime()})
		}
	}
	return found, nil
}

func isResultsFile(path string) bool {
	line := firstLine(path)
	return score.IsResult(line) || isAgentVRow(line)
}

// firstLine returns the first line of a file, or nothing if the file cannot be read.
func firstLine(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadBytes('\n')
	return bytes.TrimPrefix(line, []byte(byteOrderMark))
}

// FindRunFile returns the result file of a run by its name, with or without `.jsonl`, or by its folder:
// in the working directory, or where the reference implementation stores results.
func FindRunFile(name string) string {
	for _, folder := range []string{"", ResultsFolder, filepath.Join(ResultsFolder, "runs", "default")} {
		for _, ext := range []string{"", ".jsonl"} {
			path := filepath.Join(folder, name+ext)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path
			}
			if index := FindIndex(path); index != "" {
				return index
			}
		}
	}
	return name
}
