// Command mentions is a code grader. Its score is the share of the words in its setting `words`
// that an answer mentions. Compiled for WASI, it runs in the sandbox:
//
//	GOOS=wasip1 GOARCH=wasm go build -o mentions.wasm .
//
//	evaluators:
//	  - { name: mentions, type: code_judge, script: [mentions.wasm], words: [refund, sorry] }
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// question is the part of a grader's input that this grader needs.
type question struct {
	Answer string `json:"candidate_answer"`
	Config struct {
		Words []string `json:"words"`
	} `json:"config"`
}

// judgement is a grader's output.
type judgement struct {
	Score     float64  `json:"score"`
	Hits      []string `json:"hits"`
	Misses    []string `json:"misses"`
	Reasoning string   `json:"reasoning"`
}

func main() {
	var q question
	err := json.NewDecoder(os.Stdin).Decode(&q)
	if err == nil && len(q.Config.Words) == 0 {
		err = fmt.Errorf("`words` names no word to look for")
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(judge(q.Answer, q.Config.Words))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mentions:", err)
		os.Exit(1)
	}
}

func judge(answer string, words []string) judgement {
	var j judgement
	for _, word := range words {
		if strings.Contains(strings.ToLower(answer), strings.ToLower(word)) {
			j.Hits = append(j.Hits, "mentions "+word)
		} else {
			j.Misses = append(j.Misses, "does not mention "+word)
		}
	}
	j.Score = float64(len(j.Hits)) / float64(len(words))
	j.Reasoning = fmt.Sprintf("%d of %d words", len(j.Hits), len(words))
	return j
}
