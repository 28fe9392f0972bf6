package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/run"
)

// Journal stores a run's records on disk as they come, in PATH.partial, so that an interrupted
// run can be resumed. One process at a time writes it. It is a [run.Store]. A nil *Journal holds nothing and
// can be published, removed and closed.
type Journal struct {
	result       string // the result file
	path         string // the journal's own file
	lock         resultLock
	file         *os.File    // nil after removal
	size         int64       // bytes in the file
	runSpans     []run.Place // the records of this run, adjacent ones joined
	needsNewline bool        // the last line has no end yet
	unchanged    bool        // every record is in the result file too
	publishable  bool        // the file holds exactly what the result file will hold
	writeErr     error       // the error after which no more records are written
	lastSync     time.Time
	pending      bytes.Buffer // not written yet
	// TruncatedFile is the file whose last line is incomplete because its run was stopped while
	// writing, or "". The record on that line is lost.
	TruncatedFile string
}

const journalSuffix = ".partial"

// OpenJournal opens the journal of a result file. With resume, it calls visit for the records of
// an interrupted run or, if there are none, for those of the result file. Without resume, the
// journal of an interrupted run is an error, because its records would be lost.
func OpenJournal(result string, resume bool, visit func(*run.Record, run.Place)) (*Journal, error) {
	lock, err := lockResult(result)
	if err != nil {
		return nil, err
	}
	removeTempFiles(result)
	j := &Journal{result: result, path: result + journalSuffix, lock: lock, lastSync: time.Now()}
	if err := j.open(resume, visit); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// removeTempFiles removes the temporary files that a killed run of a result file left. Only the
// holder of its lock writes such files.
func removeTempFiles(result string) {
	for _, ending := range []string{"", journalSuffix, ".earlier"} {
		before, after := "."+filepath.Base(result)+ending+".", ".tmp"
		entries, _ := os.ReadDir(filepath.Dir(result)) // an unreadable directory is left alone
		for _, e := range entries {
			number, hasPrefix := strings.CutPrefix(e.Name(), before)
			number, hasSuffix := strings.CutSuffix(number, after)
			if !hasPrefix || !hasSuffix {
				continue
			}
			if _, err := strconv.ParseUint(number, 10, 64); err == nil && e.Type().IsRegular() {
				os.Remove(filepath.Join(filepath.Dir(result), e.Name()))
			}
		}
	}
}

func (j *Journal) open(resume bool, visit func(*run.Record, run.Place)) (err error) {
	info, e := os.Stat(j.path)
	if err := checkNotLinked(j.path); err != nil && (e != nil || info.Mode().IsRegular()) {
		return err
	}
	if e == nil && info.Size() > 0 && !resume {
		return fmt.Errorf("%s holds the records of an interrupted run; continue with --resume, or remove it", j.path)
	}
	if j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return fileError(j.path, err)
	}
	if !resume {
		j.publishable = true
		return nil
	}
	if info, e := j.file.Stat(); e == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a regular file", j.path)
	}
	if err = j.scan(j.path, j.file, visit); err != nil {
		return err
	}
	if j.size > 0 {
		return j.prepareAppend()
	}
	return j.copyResult(visit)
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

// prepareAppend positions the file behind its last complete record.
func (j *Journal) prepareAppend() error {
	last := make([]byte, 1)
	_, err := j.file.ReadAt(last, j.size-1)
	if err == nil && last[0] != '\n' {
		j.needsNewline = true
	}
	if err == nil {
		err = j.file.Truncate(j.size)
	}
	if err == nil {
		_, err = j.file.Seek(j.size, io.SeekStart)
	}
	if err != nil {
		return fileError(j.path, err)
	}
	return nil
}

// copyResult copies the records of the result file into the journal, all or none, so that another
// interruption does not lose them.
func (j *Journal) copyResult(visit func(*run.Record, run.Place)) error {
	f, err := os.Open(j.result)
	if errors.Is(err, fs.ErrNotExist) {
		return j.truncate()
	}
	if err != nil {
		return fileError(j.result, err)
	}
	defer f.Close()
	if err := j.scan(j.result, f, visit); err != nil {
		return err
	}
	if j.size == 0 {
		return j.truncate()
	}
	j.file.Close()
	err = WriteFile(j.path, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(f, 0, j.size))
		return err
	})
	if err == nil {
		j.file, err = os.OpenFile(j.path, os.O_RDWR, 0o644)
	}
	if err != nil {
		return fileError(j.path, err)
	}
	j.unchanged = true
	return j.prepareAppend()
}

// truncate removes an incomplete line from a journal without records.
func (j *Journal) truncate() error {
	if err := j.file.Truncate(0); err != nil {
		return fileError(j.path, err)
	}
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return fileError(j.path, err)
	}
	j.publishable = true
	return nil
}
