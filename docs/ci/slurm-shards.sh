#!/bin/bash
# Runs the eval files in evals/ as an array of 8 jobs, and then merges their results:
#
#   bash slurm-shards.sh
#
# The folder must be on a file system that all nodes share. A job that is requeued, or that you submit again with
# `sbatch --array=3 slurm-shards.sh`, asks only for what is missing.
#SBATCH --job-name=rubric
#SBATCH --array=1-8
#SBATCH --requeue
#SBATCH --output=shards/%a.log

if [ -z "$SLURM_ARRAY_TASK_ID" ]; then
  mkdir -p shards
  array=$(sbatch --parsable "$0") || exit
  exec sbatch --dependency="afterany:${array%%;*}" --job-name=rubric-merge --output=merge.log \
    --wrap="rubric runs merge shards --out results.jsonl --out report.html"
fi
exec rubric run evals --shard auto/8 --out shards --resume
