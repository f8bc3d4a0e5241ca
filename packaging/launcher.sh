#!/bin/sh
# Starts the terminal with the Node of this package.
self=$(readlink -f "$0")
root=${self%/bin/*}
# Compiled code is kept between starts; without a home directory we just start slower.
cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
if [ -n "$cache" ] && [ -z "${NODE_COMPILE_CACHE:-}" ]; then
  export NODE_COMPILE_CACHE="$cache/lockkeeper/compile"
fi
exec "$root/node" --disable-warning=ExperimentalWarning --min-semi-space-size=16 --max-semi-space-size=16 "$root/out/cli/lockkeeper.mjs" "$@"
