package grade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/rubric"
)

// convertFiles returns the submission with the files of its answer as text, as the grader's
// preprocessors convert them. Without preprocessors, or files, it returns the submission as it is. The
// form of the text and of a preprocessor's input is that of AgentV 4.42.4 (content-preprocessor.ts).
func (t task) convertFiles(ctx context.Context) (Submission, error) {
	blocks := t.submission.lastBlocks()
	isFile := func(block map[string]any) bool { return block["type"] == "file" }
	if len(t.grader.Preprocessors) == 0 || !slices.ContainsFunc(blocks, isFile) {
		return t.submission, nil
	}
	var parts, warnings []string
	for _, block := range blocks {
		text, _ := block["text"].(string)
		if isFile(block) {
			var err error
			if text, err = t.convertFile(ctx, block); err != nil {
				if !t.isReference() || errors.Is(err, errNotAllowed) {
					return t.submission, fmt.Errorf("the file `%v` of the answer is not converted: %w", block["path"], err)
				}
				warnings = append(warnings, fmt.Sprintf("[file preprocessing warning] %v (%v): %v", block["path"], block["media_type"], err))
			}
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	converted := t.submission
	converted.Answer = strings.Join(append(parts, warnings...), "\n")
	return converted, nil
}

// lastBlocks returns the parts of the target's last message with content, or nil if it is a text.
func (s Submission) lastBlocks() (blocks []map[string]any) {
	for _, m := range slices.Backward(s.Messages) {
		if m.Role != "assistant" || m.Content == nil {
			continue
		}
		items, _ := m.Content.([]any)
		for _, item := range items {
			if block, isMap := item.(map[string]any); isMap {
				blocks = append(blocks, block)
			}
		}
		return blocks
	}
	return nil
}

// convertFile returns the text of a file. Its preprocessor reads the path on standard input.
func (t task) convertFile(ctx context.Context, block map[string]any) (string, error) {
	path, _ := block["path"].(string)
	kind, _ := block["media_type"].(string)
	local := strings.TrimPrefix(path, "file://")
	if strings.Contains(local, "://") {
		return "", errors.New("remote file paths are not supported for preprocessing")
	}
	i := slices.IndexFunc(t.grader.Preprocessors, func(p rubric.Preprocessor) bool { return p.Type == rubric.MediaType(kind) })
	if i < 0 {
		return "", fmt.Errorf("no preprocessor is for `%s`", kind)
	}
	stdin, err := json.Marshal(map[string]string{"path": local, "original_path": path, "media_type": kind})
	if err != nil {
		return "", err
	}
	out, err := t.execCommand(ctx, Command{Argv: t.grader.Preprocessors[i].Command, Stdin: stdin})
	if err != nil {
		return "", err
	}
	if out.Code != 0 {
		if message := javascript.TrimSpace(string(out.Stderr)); message != "" {
			return "", errors.New(TruncateStart(message))
		}
		return "", fmt.Errorf("preprocessor exited with code %d", out.Code)
	}
	return "[[ file: " + path + " ]]\n" + javascript.TrimSpace(string(out.Stdout)), nil
}
