#!/bin/sh
set -e
if [ "$1" = purge ]; then
  echo "lockkeeper: the journals, clusters and reports of operators stay where they are, in ~/.local/share/lockkeeper of each of them (or where"
  echo "lockkeeper: LOCKKEEPER_DATA_DIR or XDG_DATA_HOME led). They are the record of what was done to your clouds: delete them by hand if you mean it."
fi
