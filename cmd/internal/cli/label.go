package cli

import (
	"cmp"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/labelpage"
	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/lsp/transport"
)

var labelCommand = command{
	name:    "label",
	args:    "FILE",
	summary: "Label answers by hand, and exchange labels as CSV",
	example: "rubric label my.eval.yaml --run results.jsonl --labeller Kim --open\nrubric label my.eval.yaml --import grades.csv\nrubric label my.eval.yaml --export - > grades.csv",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &labelOptions{}
		flags.StringVar(&o.labels, "labels", "", "read and write the labels `FILE` (default: the one next to the eval file)")
		flags.StringVar(&o.results, "run", "", "label the answers of the run `RESULTS`")
		flags.StringVar(&o.labeller, "labeller", "", "grade as `NAME` (default: $USER)")
		flags.IntVar(&o.count, "count", 0, "label only the `N` most informative answers")
		flags.BoolVar(&o.disputed, "disputed", false, "label what people disagree about")
		flags.StringVar(&o.addr, "addr", "127.0.0.1:0", "listen at `ADDRESS` of this machine")
		flags.BoolVar(&o.open, "open", false, "open the page in the browser")
		flags.StringVar(&o.importFrom, "import", "", "add the labels of the CSV `FILE`; - is the standard input")
		flags.StringVar(&o.exportTo, "export", "", "write the labels as CSV to `FILE`; - is the standard output")
		return func(s *session, args []string) error { return s.label(args, o) }
	},
}

type labelOptions struct {
	labels, importFrom, exportTo string
	results, labeller, addr      string
	count                        int
	disputed, open               bool
}

func (s *session) label(args []string, o *labelOptions) error {
	switch {
	case o.results != "" && o.importFrom+o.exportTo == "":
		return s.serveLabels(args[0], o)
	case o.results != "" || (o.importFrom == "") == (o.exportTo == ""):
		return errors.New("use one of --run RESULTS, --import FILE and --export FILE")
	case o.exportTo != "":
		return s.exportLabels(args[0], o)
	}
	return s.importLabels(args[0], o)
}

// labelColumns are the columns of the CSV.
var labelColumns = []string{"case", "criterion", "turn", "grade", "note", "by", "at", "fingerprint"}

func (s *session) exportLabels(evalFile string, o *labelOptions) error {
	file, err := s.readLabels(evalFile, o.labels)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		out := csv.NewWriter(w)
		_ = out.Write(labelColumns) // Flush keeps the error
		for _, l := range file.labels {
			turn := ""
			if l.Turn > 0 {
				turn = strconv.Itoa(l.Turn)
			}
			_ = out.Write([]string{l.Case, l.Criterion, turn, l.Grade(), l.Note, l.By, l.At, l.Fingerprint})
		}
		out.Flush()
		return out.Error()
	}
	if o.exportTo == "-" {
		return write(s.stdout)
	}
	return disk.WriteFile(o.exportTo, write)
}

func (s *session) importLabels(evalFile string, o *labelOptions) error {
	body, err := s.readReply(o.importFrom)
	if err != nil {
		return err
	}
	labels, unread, err := parseLabels(body)
	if err != nil {
		return fmt.Errorf("%s: %w", o.importFrom, err)
	}
	if len(unread) > 0 {
		s.printNote(fmt.Sprintf("%s: not read: the columns %s; there are %s", o.importFrom, diag.JoinList(diag.Backtick(unread), "and"), diag.JoinList(labelColumns, "and")))
	}
	file, err := s.openOrStartLabels(evalFile, o.labels)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(labels, func(l rubric.Label) bool { return slices.ContainsFunc(file.labels, l.Equal) })
	if len(missing) > 0 {
		if err := s.addLabels(evalFile, file, missing); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.stderr, "rubric: %s added to %s\n", diag.CountNoun(len(missing), "label"), file.path)
	return nil
}

// parseLabels reads labels as CSV. Columns may be in any order. It returns the other ones, which are not read.
func parseLabels(body string) (labels []rubric.Label, unread []string, err error) {
	in := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff")))
	rows, err := in.ReadAll()
	if err != nil {
		return nil, nil, err
	}
	if len(rows) == 0 || !slices.Contains(rows[0], "case") || !slices.Contains(rows[0], "criterion") || !slices.Contains(rows[0], "grade") {
		return nil, nil, fmt.Errorf("the first line must name the columns, separated by commas, with case, criterion and grade")
	}
	for i, row := range rows[1:] {
		value := func(column string) string {
			if at := slices.Index(rows[0], column); at >= 0 {
				return strings.ToValidUTF8(row[at], "\ufffd")
			}
			return ""
		}
		l := rubric.Label{Case: value("case"), Criterion: value("criterion"), Note: value("note"), By: value("by"), At: value("at"), Fingerprint: value("fingerprint")}
		fault := l.SetGrade(strings.ToLower(strings.TrimSpace(value("grade"))))
		if turn := value("turn"); turn != "" {
			if l.Turn, err = strconv.Atoi(turn); err != nil || l.Turn < 1 {
				fault = fmt.Errorf("the turn `%s` is not a number from 1", turn)
			}
		}
		if fault != nil {
			return nil, nil, fmt.Errorf("label %d: %w", i+1, fault)
		}
		labels = append(labels, l)
	}
	unread = slices.DeleteFunc(rows[0], func(column string) bool { return slices.Contains(labelColumns, column) })
	return labels, unread, nil
}

// openOrStartLabels is [session.openLabels], and an empty file if there is none.
func (s *session) openOrStartLabels(evalFile, path string) (*labelsFile, error) {
	path = labelsPath(evalFile, path)
	if !disk.Exists(evalFile) {
		return nil, fmt.Errorf("%s: no such file or folder", evalFile)
	}
	if !disk.Exists(path) {
		return &labelsFile{path: path, tree: analysis.Of(host.NewInput(path, "")).Tree()}, nil
	}
	return s.openLabels(evalFile, path)
}

// addLabels adds labels to the file, or none if one of them is for nothing.
func (s *session) addLabels(evalFile string, f *labelsFile, labels []rubric.Label) error {
	body, err := agentv.AddJudgements(f.tree, labels)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	if _, faults := s.checkLabels(evalFile, f.path, body); faults > 0 {
		fmt.Fprintf(s.stderr, "rubric: label: nothing is added to %s, which would have these lines\n", f.path)
		return exitFindings
	}
	return disk.ReplaceText(f.path, f.tree.Source.Body, body)
}

// serveLabels serves the labelling page until an interrupt.
func (s *session) serveLabels(evalFile string, o *labelOptions) error {
	defer s.handleInterrupts()()
	o.labeller = cmp.Or(o.labeller, os.Getenv("USER"), os.Getenv("USERNAME"))
	switch {
	case o.labeller == "":
		return errors.New("say who labels, with --labeller NAME")
	case o.count < 0:
		return fmt.Errorf("--count must be at least 0, not %d", o.count)
	}
	records, suite, err := s.recordsOfFile(o.results, evalFile, nil)
	if err != nil {
		return err
	}
	l := &labelpage.Session{Path: labelsPath(evalFile, o.labels), By: o.labeller, Disputed: o.disputed, Token: rand.Text()}
	l.Items = calibrate.Queue(records, func(id string) string {
		if c := suite.Case(id); c != nil {
			return strings.Join(c.Tags, ",")
		}
		return ""
	})
	l.Agreement = func(labels []rubric.Label) ([][]string, []string) {
		r := calibrate.NewReport(records, labels, defaultWithin)
		return calibrationRows(r), calibrationRemarks(r)
	}
	if o.count > 0 {
		l.Items = l.Items[:min(o.count, len(l.Items))]
	}
	if len(l.Items) == 0 {
		return fmt.Errorf("%s has no answer with criteria to label; label turns of a conversation in %s", o.results, l.Path)
	}
	if _, err := s.openOrStartLabels(evalFile, o.labels); err != nil {
		return err
	}
	release, err := resultstore.Lock(l.Path)
	if err != nil {
		return err
	}
	defer release()
	listener, err := transport.Listen(o.addr, false)
	if err != nil {
		return err
	}
	if err := s.announce(fmt.Sprintf("http://%s/%s/", listener.Addr(), l.Token), o.open); err != nil {
		return err
	}
	return page.ServeLoopback(s.ctx, listener, l)
}
