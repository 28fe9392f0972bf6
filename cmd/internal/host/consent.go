package host

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/run"
)

// Consent is a user's permission to open a target or a judge that a file names. It holds while the
// files that define it stay as they are.
type Consent struct {
	Hash   string `json:"hash"`
	Folder string `json:"folder"` // of the eval file
	Use    string `json:"use"`    // for display
}

// NewConsent returns the consent to a use for an eval file. It covers the facts that the user is
// shown, the folder that commands run in, and the contents of targets.yaml and .rubric.yaml, but
// not the cases.
func NewConsent(evalFile string, use run.Use) (Consent, error) {
	folder, err := filepath.Abs(filepath.Dir(evalFile))
	if err == nil && use.Access.File != "" { // editors name files by their whole path
		use.Access.File, err = filepath.Abs(use.Access.File)
	}
	if err != nil {
		return Consent{}, err
	}
	var contents []string
	for _, path := range []string{use.Access.File, use.By} {
		if path == "" || path == use.By && filepath.Base(path) != SettingsFile {
			contents = append(contents, "")
			continue
		}
		text, err := disk.ReadFile(path)
		if err != nil {
			return Consent{}, err
		}
		contents = append(contents, text)
	}
	dir := folder
	if use.Access.File == "" { // a command that needs no definition runs in the current folder
		if dir, err = os.Getwd(); err != nil {
			return Consent{}, err
		}
	}
	facts, _ := json.Marshal([]any{folder, dir, use.Role, use.Name, use.Access, use.Access.File, contents}) // texts always encode
	return Consent{fmt.Sprintf("%x", sha256.Sum256(facts)), folder, use.String()}, nil
}

// ConsentFile is the file that stores consents. Only its owner can read it.
type ConsentFile string

// DefaultConsentFile returns the file in the user's configuration folder.
func DefaultConsentFile() (ConsentFile, error) {
	folder, err := os.UserConfigDir()
	return ConsentFile(filepath.Join(folder, "rubric", "trusted.json")), err
}

// Read returns the stored consents, in the order in which they were given.
func (f ConsentFile) Read() (all []Consent, err error) {
	text, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return nil, nil
	}
	if err = cmp.Or(err, json.Unmarshal(text, &all)); err != nil {
		return nil, fmt.Errorf("%s: %w", string(f), err)
	}
	return all, nil
}

// Add stores consents.
func (f ConsentFile) Add(consents []Consent) error {
	all, err := f.Read()
	if err != nil {
		return err
	}
	return f.write(generic.AppendNew(all, consents...))
}

// Revoke removes the consents for the eval files of a folder, and returns them.
func (f ConsentFile) Revoke(folder string) (revoked []Consent, err error) {
	all, err := f.Read()
	if err != nil {
		return nil, err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(c Consent) bool {
		if c.Folder == folder {
			revoked = append(revoked, c)
		}
		return c.Folder == folder
	})
	if len(revoked) == 0 {
		return nil, nil
	}
	return revoked, f.write(all)
}

func (f ConsentFile) write(all []Consent) error {
	if err := os.MkdirAll(filepath.Dir(string(f)), 0o700); err != nil {
		return err
	}
	empty, err := os.OpenFile(string(f), os.O_CREATE|os.O_WRONLY, 0o600) // WriteFile keeps these permissions
	if err != nil {
		return err
	}
	empty.Close()
	text, _ := json.MarshalIndent(all, "", "  ") // texts always encode
	return disk.WriteText(string(f), string(text)+"\n")
}
