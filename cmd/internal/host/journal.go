package host

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gofrs/flock"

	"github.com/rubric-ls/rubric/core/run"
)

// Journal keeps a run's records on disk as they come, in PATH.partial, so that
// an interrupted run keeps what it has. One process at a time writes it.
type Journal struct {
	path string
	file *os.File
	lock *flock.Flock
}

// OpenJournal opens the journal of a result file. With resume it gives the
// records of an interrupted run, or else those of the result file itself;
// without, one that an interrupted run left is an error, for it would be lost.
func OpenJournal(result string, resume bool) (*Journal, []run.Record, error) {
	j := &Journal{path: result + ".partial"}
	j.lock = flock.New(result + ".lock")
	if got, err := j.lock.TryLock(); err != nil {
		return nil, nil, plainly(result+".lock", err)
	} else if !got {
		return nil, nil, fmt.Errorf("%s: another run is writing it", result)
	}
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
	j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, plainly(j.path, err)
	}
	if !resume {
		return nil, nil
	}
	records, whole, err := ReadRecords(j.file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.path, err)
	}
	if err := j.file.Truncate(whole); err != nil { // a line that was cut off
		return nil, plainly(j.path, err)
	}
	if _, err := j.file.Seek(whole, io.SeekStart); err != nil {
		return nil, plainly(j.path, err)
	}
	if len(records) > 0 {
		return records, nil
	}
	finished, err := os.Open(result)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, plainly(result, err)
	}
	defer finished.Close()
	records, _, err = ReadRecords(finished)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", result, err)
	}
	return records, nil
}

// Add appends a record.
func (j *Journal) Add(rec run.Record) error {
	line, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return plainly(j.path, err)
	}
	return nil
}

// Remove takes the journal away once the result file is written.
func (j *Journal) Remove() error {
	j.file.Close()
	return os.Remove(j.path)
}

// Close lets another process have it. An empty journal is taken away.
func (j *Journal) Close() {
	if j.file != nil {
		if info, err := j.file.Stat(); err == nil && info.Size() == 0 {
			os.Remove(j.path)
		}
		j.file.Close()
	}
	os.Remove(j.lock.Path())
	j.lock.Unlock()
}

// ReadRecords reads JSON lines. A last line without its end is left out: it was
// being written when its run was stopped. Whole is the size of the others.
func ReadRecords(r io.Reader) (records []run.Record, whole int64, err error) {
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return records, whole, nil
		}
		if err != nil {
			return nil, 0, err
		}
		whole += int64(len(line))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var rec run.Record
		if err := json.Unmarshal(line, &rec); err != nil {
			return nil, 0, fmt.Errorf("line %d is no record of a run: %w", n, err)
		}
		records = append(records, rec)
	}
}
