package resultstore

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/run"
)

// Journal stores a run's records on disk as they come, in PATH.partial, so that an interrupted
// run can be resumed. Its lines are those of the result file. One process at a time writes it. It is
// a [run.Store]. A nil *Journal holds nothing and can be removed and closed.
type Journal struct {
	result   string // the result file
	path     string // the journal's own file
	unlock   func()
	file     *os.File    // nil after removal
	size     int64       // bytes in the file
	runSpans []run.Place // the records of this run, adjacent ones joined
	copied   bool        // every record is in the result file too
	writeErr error       // the error after which no more records are written
	lastSync time.Time
	line     bytes.Buffer // of the last record
	// TruncatedFile is the file whose last line is incomplete because its run was stopped while
	// writing, or "". The record on that line is lost.
	TruncatedFile string
}

const journalSuffix = ".partial"

// OpenJournal opens the journal of a result file. With resume, it calls visit for the records of
// an interrupted run or, if there are none, for those of the result file. Without resume, the
// journal of an interrupted run is an error, because its records would be lost.
func OpenJournal(result string, resume bool, visit func(*run.Record, run.Place)) (*Journal, error) {
	unlock, err := Lock(result)
	if err != nil {
		return nil, err
	}
	removeTempFiles(result)
	j := &Journal{result: result, path: result + journalSuffix, unlock: unlock, lastSync: time.Now()}
	if err := j.open(resume, visit); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// removeTempFiles removes the temporary files that a killed run of a result file left. Only the
// holder of its lock writes such files.
func removeTempFiles(result string) {
	name := regexp.MustCompile(`^\.` + regexp.QuoteMeta(filepath.Base(result)) + `(\.partial|\.earlier)?\.\d+\.tmp$`)
	entries, _ := os.ReadDir(filepath.Dir(result)) // an unreadable directory is left alone
	for _, e := range entries {
		if name.MatchString(e.Name()) && e.Type().IsRegular() {
			os.Remove(filepath.Join(filepath.Dir(result), e.Name()))
		}
	}
}

func (j *Journal) open(resume bool, visit func(*run.Record, run.Place)) (err error) {
	info, e := os.Stat(j.path)
	if err := disk.CheckNotLinked(j.path); err != nil && (e != nil || info.Mode().IsRegular()) {
		return err
	}
	if e == nil && info.Size() > 0 && !resume {
		return fmt.Errorf("%s holds the records of an interrupted run; continue with --resume, or remove it", j.path)
	}
	if e == nil && !info.Mode().IsRegular() && resume {
		return fmt.Errorf("%s: is not a regular file", j.path)
	}
	if j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil || !resume {
		return disk.FileError(j.path, err)
	}
	if err = j.scan(j.path, j.file, visit); err == nil && j.size == 0 {
		err = j.copyResult(visit)
	}
	if err != nil {
		return err
	}
	return disk.FileError(j.path, j.endLastLine())
}

// scan visits the records of a file and sets the journal's size to theirs, without an incomplete
// last line.
func (j *Journal) scan(path string, f *os.File, visit func(*run.Record, run.Place)) error {
	found := false
	size, err := scanRecords(f, func(rec *run.Record, span run.Place) error {
		found = true
		visit(rec, span)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if info, err := f.Stat(); err == nil && info.Size() > size {
		j.TruncatedFile = path
	}
	if j.size = size; !found {
		j.size = 0
	}
	return nil
}

// copyResult copies the records of the result file into the journal, all or none, so that another
// interruption does not lose them.
func (j *Journal) copyResult(visit func(*run.Record, run.Place)) error {
	f, err := os.Open(j.result)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return disk.FileError(j.result, err)
	}
	defer f.Close()
	if err := j.scan(j.result, f, visit); err != nil || j.size == 0 {
		return err
	}
	j.file.Close()
	err = disk.WriteFile(j.path, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(f, 0, j.size))
		return err
	})
	if err == nil {
		j.copied = true
		j.file, err = os.OpenFile(j.path, os.O_RDWR, 0o644)
	}
	return disk.FileError(j.path, err)
}

// endLastLine removes what follows the last complete record, and ends its line.
func (j *Journal) endLastLine() error {
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	if _, err := j.file.Seek(j.size, io.SeekStart); err != nil || j.size == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := j.file.ReadAt(last, j.size-1); err != nil || last[0] == '\n' {
		return err
	}
	j.size++
	_, err := j.file.WriteString("\n")
	return err
}

// Add appends a record. What is written survives the process; all but about the last second
// survives the machine. After a write error, which may leave part of a record, the journal accepts
// no more.
func (j *Journal) Add(rec *run.Record) error {
	if j.writeErr != nil {
		return j.writeErr
	}
	j.line.Reset()
	if err := rec.Stored().WriteLine(&j.line); err != nil {
		return err
	}
	n, err := j.file.Write(j.line.Bytes())
	if err == nil {
		j.Keep(run.Place{Offset: j.size, Size: int64(n)})
	}
	j.size, j.copied = j.size+int64(n), false
	if now := time.Now(); err == nil && now.Sub(j.lastSync) > time.Second {
		j.lastSync = now
		if err = j.file.Sync(); errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
	}
	j.writeErr = disk.FileError(j.path, err)
	return j.writeErr
}

// Keep makes a record of an earlier run the next one of this run.
func (j *Journal) Keep(span run.Place) {
	if n := len(j.runSpans) - 1; n >= 0 && j.runSpans[n].Offset+j.runSpans[n].Size == span.Offset {
		j.runSpans[n].Size += span.Size
		return
	}
	j.runSpans = append(j.runSpans, span)
}

// Read returns a record of an earlier run.
func (j *Journal) Read(span run.Place) (*run.Record, error) {
	line := make([]byte, span.Size)
	if _, err := j.file.ReadAt(line, span.Offset); err != nil {
		return nil, disk.FileError(j.path, err)
	}
	rec, err := DecodeRecord(line)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.path, err)
	}
	return &rec, nil
}

// HasRecords reports whether the journal holds records, of this run or an earlier one.
func (j *Journal) HasRecords() bool { return j != nil && j.size > 0 }

// Remove removes the journal after the result file was written.
func (j *Journal) Remove() error {
	if j == nil {
		return nil
	}
	j.file.Close()
	j.file = nil
	return os.Remove(j.path)
}

// Close releases the journal for other processes. It removes a journal that has nothing of its
// own.
func (j *Journal) Close() {
	if j == nil {
		return
	}
	if j.file != nil {
		info, err := j.file.Stat()
		j.file.Close()
		if err == nil && (info.Size() == 0 || j.copied) {
			os.Remove(j.path)
		}
	}
	j.unlock()
}

// WriteRecords writes the records of this run as lines of JSON, in the order in which they were
// added or kept.
func (j *Journal) WriteRecords(w io.Writer) error { return j.writeSpans(w, j.runSpans) }

// ArchiveOthers appends to RESULT.earlier those of the records at spans that do not belong to
// this run. It returns their number and the file's path. The file is written as a whole or not at
// all. If the run is killed right afterwards, resuming it may append them again.
func (j *Journal) ArchiveOthers(spans iter.Seq[run.Place]) (n int, path string, err error) {
	if j == nil {
		return 0, "", nil
	}
	path = j.result + ".earlier"
	others := j.spansOutsideRun(spans)
	if len(others) == 0 {
		return 0, path, nil
	}
	err = disk.WriteFile(path, func(w io.Writer) error {
		earlier, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_, err = w.Write(earlier)
		return cmp.Or(err, j.writeSpans(w, others))
	})
	return len(others), path, err
}

// spansOutsideRun returns the spans that hold no record of this run, in file order.
func (j *Journal) spansOutsideRun(spans iter.Seq[run.Place]) (others []run.Place) {
	byOffset := func(a, b run.Place) int { return cmp.Compare(a.Offset, b.Offset) }
	current := slices.SortedFunc(slices.Values(j.runSpans), byOffset)
	for span := range spans {
		i, exact := slices.BinarySearchFunc(current, span, byOffset)
		if !exact && (i == 0 || current[i-1].Offset+current[i-1].Size <= span.Offset) {
			others = append(others, span)
		}
	}
	slices.SortFunc(others, byOffset)
	return others
}

// writeSpans writes the lines in spans that are not blank.
func (j *Journal) writeSpans(w io.Writer, spans []run.Place) error {
	for _, span := range spans {
		lines := bufio.NewScanner(io.NewSectionReader(j.file, span.Offset, span.Size))
		lines.Buffer(make([]byte, 64<<10), int(span.Size)+1)
		for lines.Scan() {
			if line := bytes.TrimRight(lines.Bytes(), "\r"); len(line) > 0 {
				if _, err := fmt.Fprintf(w, "%s\n", line); err != nil {
					return err
				}
			}
		}
		if err := lines.Err(); err != nil {
			return disk.FileError(j.path, err)
		}
	}
	return nil
}
