#!/bin/sh
# Starts the terminal with the Node of this package.
self=$(readlink -f "$0")
root=${self%/bin/*}
# Compiled code is kept between starts; without a home directory we just start slower.
cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
if [ -n "$cache" ] && [ -z "${NODE_COMPILE_CACHE:-}" ]; then
  export NODE_COMPILE_CACHE="$cache/lockkeeper/compile"
fi
# A larger nursery from the start: nearly everything lives, and collecting it again and again costs a tenth of the time. What stays needs less memory instead.
case " $* " in
  *" serve "* | *" demo "* | *" runner "*) nursery=4 ;;
  *) nursery=16 ;;
esac
exec "$root/node" --disable-warning=ExperimentalWarning --min-semi-space-size=$nursery --max-semi-space-size=$nursery "$root/out/cli/lockkeeper.mjs" "$@"
