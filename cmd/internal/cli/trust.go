package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/run"
)

var trustCommand = command{
	name:    "trust",
	args:    "[FILE…]",
	summary: "Allow the targets and judges that files name",
	example: "rubric trust my.eval.yaml\nrubric trust --list\nrubric trust --revoke my.eval.yaml",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &runOptions{ignoreErrors: true, format: "text"}
		list := flags.Bool("list", false, "list the consents")
		revoke := flags.Bool("revoke", false, "forget the consents for the folders of these files")
		declareOptions(flags, &o.Settings, "targets")
		return func(s *session, files []string) error { return s.trust(files, o, *list, *revoke) }
	},
}

func (s *session) trust(files []string, o *runOptions, list, revoke bool) error {
	store, err := host.DefaultConsentFile()
	switch {
	case err != nil:
		return err
	case list && (revoke || len(files) > 0):
		return errors.New("--list takes no file and no other option")
	case list:
		all, err := store.Read()
		if err != nil {
			return err
		}
		return s.printConsents("", all)
	case len(files) == 0:
		return errors.New("name an eval file, or use --list")
	case revoke:
		var revoked []host.Consent
		for _, path := range files {
			some, err := store.Revoke(filepath.Dir(path))
			if err != nil {
				return err
			}
			revoked = append(revoked, some...)
		}
		return s.printConsents("forgotten: ", revoked)
	}
	suites, err := s.loadSuites(files, o)
	if err != nil {
		return err
	}
	suites, err = eachTarget(suites, o)
	if err != nil {
		return err
	}
	asked, err := s.usesOfFiles(suites, o)
	if err == nil {
		err = store.Add(asked)
	}
	if err != nil {
		return run.WithAdvice(err, "--")
	}
	return s.printConsents("allowed: ", asked)
}

func (s *session) printConsents(done string, all []host.Consent) error {
	var out strings.Builder
	for _, c := range all {
		fmt.Fprintf(&out, "%s%s (in %s)\n", done, report.Printable(c.Use), report.Printable(c.Folder))
	}
	if len(all) == 0 {
		out.WriteString("nothing here needs a consent\n")
	}
	return s.printText(out.String())
}

// usesOfFiles returns the consents that a run of the suites needs. It contacts nothing.
func (s *session) usesOfFiles(suites []loadedSuite, o *runOptions) (needed []host.Consent, err error) {
	ports := &targets.Ports{TargetsFile: o.TargetsFile, Plan: &run.Plan{}}
	for _, suite := range suites {
		file, err := suite.file(o)
		if err != nil {
			return nil, err
		}
		uses, err := run.FindUses(s.ctx, ports.Host(), o.Settings, file)
		if err != nil {
			return nil, err
		}
		consents, err := newConsents(suite.path, uses)
		if err != nil {
			return nil, err
		}
		needed = generic.AppendNew(needed, consents...)
	}
	return needed, nil
}

// newConsents returns the consents to uses for an eval file.
func newConsents(evalFile string, uses []run.Use) (all []host.Consent, err error) {
	for _, use := range uses {
		consent, err := host.NewConsent(evalFile, use)
		if err != nil {
			return nil, err
		}
		all = append(all, consent)
	}
	return all, nil
}

// missingConsents returns those of the needed consents that the user has not given, and the file that
// stores them.
func missingConsents(needed []host.Consent) (store host.ConsentFile, missing []host.Consent, err error) {
	if len(needed) == 0 {
		return store, nil, nil
	}
	if store, err = host.DefaultConsentFile(); err != nil {
		return store, nil, err
	}
	given, err := store.Read()
	missing = slices.DeleteFunc(needed, func(c host.Consent) bool {
		return slices.ContainsFunc(given, func(known host.Consent) bool { return known.Hash == c.Hash })
	})
	return store, missing, err
}

// requireConsents returns an error unless the user has given the needed consents, or does so when asked. ask gets a
// list of those that are missing. An answer is stored.
func requireConsents(needed []host.Consent, ask func(shown string) error) error {
	store, missing, err := missingConsents(needed)
	if err != nil || len(missing) == 0 {
		return err
	}
	shown := ""
	for _, c := range missing {
		shown += "\n  " + report.Printable(c.Use)
	}
	if err := ask(shown); err != nil {
		return err
	}
	return store.Add(missing)
}

// requireConsent returns an error unless the user has consented to what the files name, or does so
// now.
func (s *session) requireConsent(suites []loadedSuite, o *runOptions) error {
	if o.trust || o.dryRun || o.isCoordinator() {
		return nil
	}
	needed, err := s.usesOfFiles(suites, o)
	if err != nil {
		return err
	}
	return requireConsents(needed, func(shown string) error {
		if s.ask == nil {
			return fmt.Errorf("this needs your consent once:%s\nallow it with `rubric trust %s`, or for this run with --trust; "+
				"--target self --judge offline runs nothing of it", shown, strings.Join(generic.Map(suites, func(suite loadedSuite) string { return suite.path }), " "))
		}
		if !s.ask(fmt.Sprintf("The files name what would run:%s\nAllow it, until it changes? [y/N] ", shown)) {
			return errors.New("nothing was run; --target self --judge offline grades the files' own answers")
		}
		return nil
	})
}

// newAsker returns a function that asks a question on a terminal, or nil if there is none.
func newAsker(in io.Reader, out io.Writer) func(string) bool {
	if !isTerminal(in) || !isTerminal(out) {
		return nil
	}
	answers := bufio.NewReader(in)
	return func(question string) bool { return askYesNo(answers, out, question) }
}

// askYesNo reports whether the answer to a question is yes.
func askYesNo(in *bufio.Reader, out io.Writer, question string) bool {
	fmt.Fprint(out, question)
	answer, _ := in.ReadString('\n') // the end of the input is no
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
