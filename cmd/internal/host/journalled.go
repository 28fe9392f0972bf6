package host

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/rubric-ls/rubric/core/run"
)

// Untimed writes the records of this run, in the order in which they were added or
// given again, and without their times, as lines of JSON.
func (j *Journal) Untimed(w io.Writer) error { return j.untimed(w, j.told) }

// SetAside adds those of the records at some places that are not this run's to
// RESULT.earlier, which it gives the path of, and says how many they are. It is
// written whole or not at all; a run that is killed right after that may add them
// once more when it is resumed.
func (j *Journal) SetAside(places iter.Seq[Place]) (n int, path string, err error) {
	path = j.result + ".earlier"
	rest := j.untold(places)
	if len(rest) == 0 {
		return 0, path, nil
	}
	err = WriteFile(path, func(w io.Writer) error {
		if err := copied(path, w); err != nil {
			return err
		}
		return j.untimed(w, rest)
	})
	return len(rest), path, err
}

// untold are the places that hold no record of this run, in the journal's order.
func (j *Journal) untold(places iter.Seq[Place]) (rest []Place) {
	by := func(a, b Place) int { return cmp.Compare(a.at, b.at) }
	told := slices.SortedFunc(slices.Values(j.told), by)
	for at := range places {
		i, exact := slices.BinarySearchFunc(told, at, by)
		if !exact && (i == 0 || told[i-1].at+told[i-1].size <= at.at) {
			rest = append(rest, at)
		}
	}
	slices.SortFunc(rest, by)
	return rest
}

// copied writes what is in a file, if there is one.
func copied(path string, w io.Writer) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// untimed writes what stands in some stretches of the journal.
func (j *Journal) untimed(w io.Writer, stretches []Place) error {
	if err := j.Flush(); err != nil {
		return err
	}
	f, err := os.Open(j.path)
	if err != nil {
		return plainly(j.path, err)
	}
	defer f.Close()
	lines := bufio.NewReaderSize(nil, 64<<10)
	for _, stretch := range stretches {
		lines.Reset(io.NewSectionReader(f, stretch.at, stretch.size))
		if err := untimed(lines, w); err != nil {
			return plainly(j.path, err)
		}
	}
	return nil
}

func untimed(lines *bufio.Reader, w io.Writer) error {
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if line = run.UntimedLine(line); line[len(line)-1] != '\n' {
				line = append(line, '\n')
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}
