#!/bin/sh
# A running console still loads parts of its own version, so these are kept.
set -e
running() {
  for exe in /proc/[0-9]*/exe; do
    case $(readlink "$exe" 2>/dev/null || true) in /usr/lib/lockkeeper/node*) return 0 ;; esac
  done
  return 1
}
# What an upgrade that was aborted left is of a version nobody runs.
[ "$1" != upgrade ] || rm -rf /usr/lib/lockkeeper/out.before
if [ "$1" = upgrade ] && [ -d /usr/lib/lockkeeper/out ] && running; then
  cp -a /usr/lib/lockkeeper/out /usr/lib/lockkeeper/out.before
fi
