#!/usr/bin/env bash
# chromium.sh installs Debian's headless Chromium if it is missing. It draws frames without a
# window; Chromium itself may stop drawing after a resize, and a test then waits in vain.
set -euo pipefail
[ ! -x /usr/bin/chromium-headless-shell ] || exit 0
apt-get -q -o DPkg::Lock::Timeout=600 update
DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core
