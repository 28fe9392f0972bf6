package host

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// ReadRecords reads JSON lines. A last line that breaks off is left out: it was
// being written when its run was stopped. Whole is the size of the others.
func ReadRecords(r io.Reader) (records []run.Record, size int64, err error) {
	size, err = scanRecords(r, func(rec *run.Record, _ RecordSpan) error {
		records = append(records, *rec)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return records, size, nil
}

// scanRecords is [ReadRecords] one record at a time, each with where it stands.
func scanRecords(r io.Reader, visit func(*run.Record, RecordSpan) error) (size int64, err error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		last := err == io.EOF
		if err != nil && !last {
			return 0, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			rec, err := decodeRecord(line)
			switch {
			case err == nil:
				if err := visit(&rec, RecordSpan{size, int64(len(line))}); err != nil {
					return 0, err
				}
			case last:
				return size, nil
			default:
				return 0, fmt.Errorf("line %d is no record of a run: %w", n, err)
			}
		}
		size += int64(len(line))
		if last {
			return size, nil
		}
	}
}

func decodeRecord(line []byte) (rec run.Record, err error) {
	err = json.Unmarshal(line, &rec)
	switch {
	case err != nil:
		err = score.ResultError(err)
	case rec.EvalID == "":
		err = errors.New("it has no `eval_id`")
	case rec.Verdict == "": // of another runner, which tells a score alone
		rec.Verdict = score.VerdictOf(rec.Score)
	}
	return rec, err
}
