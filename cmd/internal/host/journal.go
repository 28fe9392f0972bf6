package host

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/rubric-ls/rubric/core/run"
)

// Journal keeps a run's records on disk as they come, in PATH.partial, so that
// an interrupted run keeps what it has. One process at a time writes it.
type Journal struct {
	path   string
	claim  claim
	file   *os.File     // nil once it is taken away
	next   bytes.Buffer // what is to be written: what has to stand before the next record, and that
	failed error        // why it takes no more records
	synced time.Time
	// Cut is the file whose last line breaks off, as when its run was stopped in
	// the middle of it; "" if none does. The record on that line is not known.
	Cut string
}

// OpenJournal opens the journal of a result file. With resume it gives the
// records of an interrupted run, or else those of the result file itself;
// without, one that an interrupted run left is an error, for it would be lost.
func OpenJournal(result string, resume bool) (*Journal, []run.Record, error) {
	claim, err := claimed(result)
	if err != nil {
		return nil, nil, err
	}
	j := &Journal{path: result + ".partial", claim: claim}
	records, err := j.open(result, resume)
	if err != nil {
		j.Close()
		return nil, nil, err
	}
	return j, records, nil
}

func (j *Journal) open(result string, resume bool) (records []run.Record, err error) {
	if info, e := os.Stat(j.path); e == nil && info.Size() > 0 && !resume {
		return nil, fmt.Errorf("%s holds what an interrupted run has done; go on with --resume, or remove it", j.path)
	}
	if j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, plainly(j.path, err)
	}
	if !resume {
		return nil, nil
	}
	if info, e := j.file.Stat(); e == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a regular file", j.path)
	}
	if records, err = j.continued(); err != nil || len(records) > 0 {
		return records, err
	}
	return j.finished(result)
}

// continued reads the journal and takes away a last line that was cut off.
func (j *Journal) continued() ([]run.Record, error) {
	body, err := io.ReadAll(j.file)
	if err != nil {
		return nil, plainly(j.path, err)
	}
	records, whole, err := ReadRecords(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.path, err)
	}
	j.cut(j.path, body[whole:])
	if whole > 0 && body[whole-1] != '\n' {
		j.next.WriteByte('\n')
	}
	if err := j.file.Truncate(whole); err != nil {
		return nil, plainly(j.path, err)
	}
	if _, err := j.file.Seek(whole, io.SeekStart); err != nil {
		return nil, plainly(j.path, err)
	}
	return records, nil
}

// cut remembers that a file ends with a part of a line.
func (j *Journal) cut(path string, rest []byte) {
	if len(rest) > 0 {
		j.Cut = path
	}
}

// finished reads the result file. Its records are the journal's too once there
// is a new one: the next interruption would lose them otherwise.
func (j *Journal) finished(result string) ([]run.Record, error) {
	body, err := os.ReadFile(result)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, plainly(result, err)
	}
	records, whole, err := ReadRecords(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", result, err)
	}
	j.cut(result, body[whole:])
	if j.next.Write(body[:whole]); whole > 0 && body[whole-1] != '\n' {
		j.next.WriteByte('\n')
	}
	return records, nil
}

// Add appends a record. After one that the disk did not take, of which a part
// may be left at the end, the journal takes no more. What was added survives
// the process, and all but about the last second the machine.
func (j *Journal) Add(rec run.Record) error {
	if j.failed != nil {
		return j.failed
	}
	if err := rec.WriteLine(&j.next); err != nil {
		return err
	}
	if _, err := j.file.Write(j.next.Bytes()); err != nil {
		j.failed = plainly(j.path, err)
		return j.failed
	}
	j.next.Reset()
	if now := time.Now(); now.Sub(j.synced) > time.Second {
		j.synced = now
		if err := j.file.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			j.failed = plainly(j.path, err)
		}
	}
	return j.failed
}

// Untimed writes the records that were added, in their order and without their
// times, as lines of JSON.
func (j *Journal) Untimed(w io.Writer) error {
	f, err := os.Open(j.path)
	if err != nil {
		return plainly(j.path, err)
	}
	defer f.Close()
	for lines := bufio.NewReaderSize(f, 64<<10); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if _, err := w.Write(run.UntimedLine(line)); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return plainly(j.path, err)
		}
	}
}

// Remove takes the journal away once the result file is written.
func (j *Journal) Remove() error {
	j.file.Close()
	j.file = nil
	return os.Remove(j.path)
}

// Close lets another process have it. An empty journal is taken away.
func (j *Journal) Close() {
	if j.file != nil {
		info, err := j.file.Stat()
		j.file.Close()
		if err == nil && info.Size() == 0 {
			os.Remove(j.path)
		}
	}
	j.claim.release()
}
