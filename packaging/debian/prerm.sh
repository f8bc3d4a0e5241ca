#!/bin/sh
set -e
# What was kept for a console that ran during an earlier upgrade.
if [ "$1" = remove ] && [ -f /usr/lib/lockkeeper/kept-for-running ]; then
  while IFS= read -r file; do rm -f "/usr/lib/lockkeeper/$file"; done < /usr/lib/lockkeeper/kept-for-running
  rm -f /usr/lib/lockkeeper/kept-for-running
fi
[ "$1" != remove ] || rm -rf /usr/lib/lockkeeper/out.before
