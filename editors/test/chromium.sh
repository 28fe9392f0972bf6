#!/usr/bin/env bash
# chromium.sh installs Debian's Chromium if it is missing.
set -euo pipefail
[ ! -x /usr/bin/chromium ] || exit 0
apt-get -q -o DPkg::Lock::Timeout=600 update
DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends chromium fonts-dejavu-core
