#!/usr/bin/env bash
# mirror.sh FOLDER REPOSITORY VERSION [INTO] commits a folder of HEAD to main of another repository, as
# its root or as the folder INTO of it, and tags the commit vVERSION. Nothing is pushed if nothing changed.
set -euo pipefail
folder=$1 repository=$2 version=$3 into=${4:-}
cd "$(git rev-parse --show-toplevel)"
GIT_INDEX_FILE=$(mktemp -u)
export GIT_INDEX_FILE
trap 'rm -f "$GIT_INDEX_FILE"' EXIT

parent=()
if [ -n "$(git ls-remote "$repository" refs/heads/main)" ]; then
  git fetch -q --no-tags "$repository" main
  parent=(-p "$(git rev-parse FETCH_HEAD)")
  git read-tree FETCH_HEAD
fi
if [ -n "$into" ]; then
  git rm -rq --cached --ignore-unmatch -- "$into"
  git read-tree --prefix="$into/" "HEAD:$folder"
else
  git read-tree "HEAD:$folder"
fi
tree=$(git write-tree)
commit=${parent[1]:-}
if [ -z "$commit" ] || [ "$tree" != "$(git rev-parse "$commit^{tree}")" ]; then
  commit=$(git commit-tree "${parent[@]}" -m "$folder of v$version" "$tree")
fi
git push -q --force "$repository" "$commit:refs/tags/v$version"
git push -q "$repository" "$commit:refs/heads/main"
