package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// shardedProject is a folder whose eval files have a result in whole.jsonl, with the exit status of its run.
func shardedProject(t *testing.T, root string) (dir string, status int) {
	t.Helper()
	dir = project(t, root)
	_, status = bash(t, dir, nil, "-c", "rubric run evals --out whole.jsonl")
	return dir, status
}

// checkMerged checks that merged results and their status are those of the whole run.
func checkMerged(t *testing.T, dir, results, out string, status, want int) {
	t.Helper()
	if status != want || read(t, filepath.Join(dir, results)) != read(t, filepath.Join(dir, "whole.jsonl")) {
		t.Errorf("exit status %d and not %d, or other results\n%s", status, want, out)
	}
}

// noScheduler removes the variables of a scheduler that runs this test.
var noScheduler = [...]string{"SLURM_ARRAY_TASK_ID=", "JOB_COMPLETION_INDEX=", "CI_NODE_INDEX="}

type workflowJob struct {
	Strategy struct{ Matrix struct{ Shard []int } }
	Steps    []struct{ Run string }
}

// commands are the commands of a job, with its number for the expression of the matrix.
func (j workflowJob) commands(shard int) string {
	var all []string
	for _, step := range j.Steps {
		if step.Run != "" {
			all = append(all, step.Run)
		}
	}
	return strings.ReplaceAll(strings.Join(all, "\n"), "${{ matrix.shard }}", fmt.Sprint(shard))
}

// TestGitHubShards, TestGitLabShards, TestKubernetesShards and TestSlurmShards run the commands of the
// examples as the schedulers do.
func TestGitHubShards(t *testing.T) {
	root := root(t, "bash")
	var config struct{ Jobs map[string]workflowJob }
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "docs/ci/github-shards.yml"))), &config); err != nil {
		t.Fatal(err)
	}
	dir, want := shardedProject(t, root)
	for _, shard := range config.Jobs["shard"].Strategy.Matrix.Shard {
		if out, status := bash(t, dir, nil, "-ec", config.Jobs["shard"].commands(shard)); status != 0 {
			t.Fatalf("shard %d: %d\n%s", shard, status, out)
		}
		artifact := filepath.Join(dir, "artifacts", fmt.Sprintf("shard-%d", shard)) // a folder for each, as actions/download-artifact makes them
		if err := os.MkdirAll(filepath.Dir(artifact), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "shards"), artifact); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(dir, "artifacts"), filepath.Join(dir, "shards")); err != nil {
		t.Fatal(err)
	}
	out, status := bash(t, dir, nil, "-ec", config.Jobs["merge"].commands(0))
	checkMerged(t, dir, "results.jsonl", out, status, want)
}

func TestGitLabShards(t *testing.T) {
	root := root(t, "bash")
	var config map[string]yaml.Node
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, "docs/ci/gitlab-shards.yml"))), &config); err != nil {
		t.Fatal(err)
	}
	job := func(name string) (j struct {
		Parallel int
		Script   []string
	}) {
		node := config[name]
		if err := node.Decode(&j); err != nil {
			t.Fatal(err)
		}
		return j
	}
	dir, want := shardedProject(t, root)
	shards := job("shard")
	for i := range shards.Parallel {
		env := []string{fmt.Sprintf("CI_NODE_INDEX=%d", i+1), fmt.Sprintf("CI_NODE_TOTAL=%d", shards.Parallel)}
		if out, status := bash(t, dir, append(noScheduler[:], env...), "-ec", strings.Join(shards.Script, "\n")); status != 0 {
			t.Fatalf("job %d: %d\n%s", i+1, status, out)
		}
	}
	out, status := bash(t, dir, nil, "-ec", strings.Join(job("merge").Script, "\n"))
	checkMerged(t, dir, "results.jsonl", out, status, want)
}

func TestKubernetesShards(t *testing.T) {
	root := root(t, "bash")
	type manifest struct {
		Metadata struct{ Labels map[string]string }
		Spec     struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int
			Template       struct {
				Spec struct {
					Containers      []struct{ Args []string }
					SecurityContext struct {
						FSGroup int `yaml:"fsGroup"`
					} `yaml:"securityContext"`
				}
			}
		}
	}
	jobs := map[string]manifest{}
	for _, document := range strings.Split(read(t, filepath.Join(root, "docs/ci/kubernetes-shards.yaml")), "\n---\n") {
		var m manifest
		if err := yaml.Unmarshal([]byte(document), &m); err != nil {
			t.Fatal(err)
		}
		jobs[m.Metadata.Labels["step"]] = m
		if m.Spec.Template.Spec.SecurityContext.FSGroup != 65532 {
			t.Errorf("the image's user cannot write the results of %v", m.Metadata.Labels)
		}
	}
	dir, want := shardedProject(t, root)
	command := func(step string) string {
		return "rubric " + strings.Join(jobs[step].Spec.Template.Spec.Containers[0].Args, " ")
	}
	if jobs["shards"].Spec.CompletionMode != "Indexed" {
		t.Error("the job sets no index")
	}
	for i := range jobs["shards"].Spec.Completions {
		for range 2 { // a pod may be replaced after its work
			if out, status := bash(t, dir, append(noScheduler[:], fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i)), "-ec", command("shards")); status != 0 {
				t.Fatalf("pod %d: %d\n%s", i, status, out)
			}
		}
	}
	out, status := bash(t, dir, nil, "-ec", command("merge"))
	checkMerged(t, dir, "results/results.jsonl", out, status, want)
}

// fakeSbatch runs the jobs of a script one after the other, or a wrapped command, and prints a job's number.
const fakeSbatch = `#!/bin/bash
for arg; do case "$arg" in --wrap=*) bash -c "${arg#--wrap=}"; exit ;; esac; done
script=${!#}
range=$(sed -n 's/^#SBATCH --array=//p' "$script")
for ((i = ${range%-*}; i <= ${range#*-}; i++)); do
  SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=${range#*-} bash "$script" > "shards/$i.log" 2>&1 || exit
done
echo "7;cluster"
`

func TestSlurmShards(t *testing.T) {
	root := root(t, "bash", "sed")
	dir, want := shardedProject(t, root)
	fake := t.TempDir()
	write(t, filepath.Join(fake, "sbatch"), fakeSbatch)
	path := "PATH=" + fake + string(filepath.ListSeparator) + os.Getenv("PATH")
	out, status := bash(t, dir, append(noScheduler[:], path), filepath.Join(root, "docs/ci/slurm-shards.sh"))
	checkMerged(t, dir, "results.jsonl", out, status, want)
}
