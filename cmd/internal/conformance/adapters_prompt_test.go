package conformance

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/rubric"
)

func init() {
	adapters["prompt_text"], adapters["prompt_text@head"] = promptText, promptText
}

// promptText compares the texts of a case's messages with those of the reference's prompt
// builder: with the texts of files, and with their paths. A corpus that is not in the
// repository is one of [corpustest.Folder].
func promptText(t *testing.T, c testCase) error {
	in := decode[struct{ Corpus, File, ID string }](t, c.Input)
	want := decode[map[string]string](t, c.Expected)
	root, err := filepath.Abs(filepath.Join("..", "..", "..", in.Corpus))
	if err != nil {
		return err
	}
	if other, ok := strings.CutPrefix(in.Corpus, "others/"); ok {
		if root = filepath.Join(corpustest.Folder(), "corpus", other); corpustest.Folder() == "" {
			t.Skip("RUBRIC_CORPUS is not set")
		}
	}
	path := filepath.Join(root, in.File)
	body, err := disk.ReadFile(path)
	if err != nil {
		return err
	}
	suite := analysis.Of(host.NewInput(path, body)).Suite()
	if problems := host.FillReferences(path, suite); len(problems) > 0 {
		t.Log(problems)
	}
	kase := suite.Case(in.ID)
	if kase == nil {
		return fmt.Errorf("there is no case %s", in.ID)
	}
	texts := map[string]string{
		"text":        rubric.ConversationText(kase.Input),
		"files_named": strings.ReplaceAll(rubric.NamedFilesText(kase.Input), root+string(os.PathSeparator), "ROOT/"),
	}
	for key, text := range texts {
		if plain, ok := want[key]; ok && plain != text {
			return fmt.Errorf("%s is %q", key, text)
		}
		if sum, ok := want[key+"_sha256"]; ok && sum != fmt.Sprintf("%x", sha256.Sum256([]byte(text))) {
			return fmt.Errorf("%s differs: %q", key, text)
		}
	}
	return nil
}
