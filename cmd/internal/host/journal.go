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

// Journal keeps a run's records on disk as they come, in PATH.partial, so that
// an interrupted run keeps what it has. One process at a time writes it.
type Journal struct {
	result string // the file that the records are for
	path   string // of the journal itself
	claim  claim
	file   *os.File // nil once it is taken away
	size   int64    // of what is in it
	told   []Place  // the records of this run, as a few stretches of the file
	broken bool     // its last line has no end yet
	bare   bool     // it has nothing that the result file has not
	fair   bool     // it has nothing but what the result file is to have
	failed error    // why it takes no more records
	synced time.Time
	next   bytes.Buffer // what is to be written
	// Cut is the file whose last line breaks off, as when its run was stopped in
	// the middle of it; "" if none does. The record on that line is not known.
	Cut string
}

const journalEnding = ".partial"

// Place is where a record stands in a journal.
type Place struct{ at, size int64 }

// OpenJournal opens the journal of a result file. With resume it shows the records
// of an interrupted run, or else those of the result file itself; without, one that
// an interrupted run left is an error, for it would be lost.
func OpenJournal(result string, resume bool, earlier func(*run.Record, Place)) (*Journal, error) {
	claim, err := claimed(result)
	if err != nil {
		return nil, err
	}
	sweep(result)
	j := &Journal{result: result, path: result + journalEnding, claim: claim, synced: time.Now()}
	if err := j.open(resume, earlier); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// sweep removes the temporary files that a killed run of a result file left. Whoever
// holds its claim is the only one to write them.
func sweep(result string) {
	for _, ending := range []string{"", journalEnding, ".earlier"} {
		before, after := "."+filepath.Base(result)+ending+".", ".tmp"
		entries, _ := os.ReadDir(filepath.Dir(result)) // a folder that cannot be read is left as it is
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

func (j *Journal) open(resume bool, earlier func(*run.Record, Place)) (err error) {
	info, e := os.Stat(j.path)
	if err := notLinked(j.path); err != nil && (e != nil || info.Mode().IsRegular()) {
		return err
	}
	if e == nil && info.Size() > 0 && !resume {
		return fmt.Errorf("%s holds what an interrupted run has done; go on with --resume, or remove it", j.path)
	}
	if j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return plainly(j.path, err)
	}
	if !resume {
		j.fair = true
		return nil
	}
	if info, e := j.file.Stat(); e == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a regular file", j.path)
	}
	if err = j.scan(j.path, j.file, earlier); err != nil {
		return err
	}
	if j.size > 0 {
		return j.goOn()
	}
	return j.startFrom(earlier)
}

// scan shows the records of a file, which the journal is then as large as: without
// a last line that was cut off.
func (j *Journal) scan(path string, f *os.File, earlier func(*run.Record, Place)) error {
	found := false
	whole, err := scanRecords(f, func(rec *run.Record, at Place) error {
		found = true
		earlier(rec, at)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if info, err := f.Stat(); err == nil && info.Size() > whole {
		j.Cut = path
	}
	if j.size = whole; !found {
		j.size = 0
	}
	return nil
}

// goOn makes the next record the one behind those that are there.
func (j *Journal) goOn() error {
	last := make([]byte, 1)
	_, err := j.file.ReadAt(last, j.size-1)
	if err == nil && last[0] != '\n' {
		j.broken = true
	}
	if err == nil {
		err = j.file.Truncate(j.size)
	}
	if err == nil {
		_, err = j.file.Seek(j.size, io.SeekStart)
	}
	if err != nil {
		return plainly(j.path, err)
	}
	return nil
}

// startFrom makes the records of the result file the journal's, whole or not at all:
// the next interruption would lose some of them otherwise.
func (j *Journal) startFrom(earlier func(*run.Record, Place)) error {
	f, err := os.Open(j.result)
	if errors.Is(err, fs.ErrNotExist) {
		return j.startAnew()
	}
	if err != nil {
		return plainly(j.result, err)
	}
	defer f.Close()
	if err := j.scan(j.result, f, earlier); err != nil {
		return err
	}
	if j.size == 0 {
		return j.startAnew()
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
		return plainly(j.path, err)
	}
	j.bare = true
	return j.goOn()
}

// startAnew takes away a line that was cut off, where there is no other.
func (j *Journal) startAnew() error {
	if err := j.file.Truncate(0); err != nil {
		return plainly(j.path, err)
	}
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return plainly(j.path, err)
	}
	j.fair = true
	return nil
}

// Add appends a record, which [Journal.Flush] writes, and what comes to more than a few
// records by itself. After one that the disk did not take, of which a part may be left at
// the end, the journal takes no more.
func (j *Journal) Add(rec *run.Record) error {
	if j.failed != nil {
		return j.failed
	}
	if j.broken {
		j.next.WriteByte('\n')
		j.broken = false
	}
	before := j.next.Len()
	anew := rec.Anew() // as the result file is to have it
	if err := anew.WriteLine(&j.next); err != nil {
		return err
	}
	j.tell(Place{j.size + int64(before), int64(j.next.Len() - before)})
	j.bare, j.fair = false, j.fair && !rec.Timed()
	if j.next.Len() > mostAtOnce {
		return j.Flush()
	}
	return nil
}

// mostAtOnce is how many bytes of records are written together.
const mostAtOnce = 32 << 10

// Flush writes what was added: it survives the process, and all but about the last
// second the machine.
func (j *Journal) Flush() error {
	if j.failed != nil || j.next.Len() == 0 {
		return j.failed
	}
	n, err := j.file.Write(j.next.Bytes())
	j.size += int64(n)
	j.next.Reset()
	if now := time.Now(); err == nil && now.Sub(j.synced) > time.Second {
		j.synced = now
		if err = j.file.Sync(); errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
	}
	if err != nil {
		j.failed = plainly(j.path, err)
	}
	return j.failed
}

// Again gives a record of an earlier run, which is this one's too.
func (j *Journal) Again(at Place) (*run.Record, error) {
	rec, err := j.Earlier(at)
	if err == nil {
		j.tell(at)
	}
	return rec, err
}

// Earlier gives a record of an earlier run.
func (j *Journal) Earlier(at Place) (*run.Record, error) {
	line := make([]byte, at.size)
	if _, err := j.file.ReadAt(line, at.at); err != nil {
		return nil, plainly(j.path, err)
	}
	rec, err := readRecord(line)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.path, err)
	}
	return &rec, nil
}

// Holds reports whether there are records to go on from, of this run or an earlier one.
func (j *Journal) Holds() bool { return j.size > 0 }

// tell makes a record the run's next.
func (j *Journal) tell(at Place) {
	if n := len(j.told) - 1; n >= 0 && j.told[n].at+j.told[n].size == at.at {
		j.told[n].size += at.size
		return
	}
	j.told = append(j.told, at)
}

// Publish makes the records of this run the result file, as [Journal.Untimed] writes
// them, whole or not at all, and takes the journal away. One that is fair and beside
// that file becomes it: nothing is written twice.
func (j *Journal) Publish() error {
	if err := j.Flush(); err != nil {
		return err
	}
	mode, err := replaceable(j.result)
	if err != nil {
		return err
	}
	info, err := os.Lstat(j.path)
	if !j.fair || err != nil || !info.Mode().IsRegular() {
		if err := WriteFile(j.result, j.Untimed); err != nil {
			return err
		}
		return j.Remove()
	}
	file := j.file
	j.file = nil
	defer file.Close()
	if err := takeName(file, j.result, mode, func() error { return nil }); err != nil {
		return unwritten(j.result, err)
	}
	return nil
}

// Remove takes the journal away once the result file is written.
func (j *Journal) Remove() error {
	j.file.Close()
	j.file = nil
	return os.Remove(j.path)
}

// Close lets another process have it. A journal without anything of its own is
// taken away.
func (j *Journal) Close() {
	if j.file != nil {
		j.Flush()
		info, err := j.file.Stat()
		j.file.Close()
		if err == nil && (info.Size() == 0 || j.bare) {
			os.Remove(j.path)
		}
	}
	j.claim.release()
}
