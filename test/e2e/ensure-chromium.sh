#!/bin/sh
# Screen tests run in Debian's own Chromium. Installs it when it is missing and we may; says what to do when we may not.
set -u
for browser in "${LOCKKEEPER_CHROMIUM:-}" /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome; do
  [ -n "$browser" ] && [ -x "$browser" ] && exit 0
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "No Chromium is installed, and only root on Debian can install it here. Install one, or name yours in LOCKKEEPER_CHROMIUM." >&2
  exit 1
fi
echo "Installing Chromium for the screen tests (once)."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3 4; do
  if apt-get update -qq >"$log" 2>&1 &&
    apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends chromium fonts-dejavu-core >>"$log" 2>&1; then
    exit 0
  fi
  echo "Attempt $attempt to install Chromium failed: $(tail -n 1 "$log")" >&2
  sleep $((attempt * 5))
done
cat "$log" >&2
exit 1
