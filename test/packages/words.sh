# Shared by the tests of the packages. Sourced, not run.
set -euo pipefail
export LC_ALL=C.UTF-8
HOUSE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export PATH=$HOUSE/node_modules/.bin:$PATH
VERSION=$(node -p 'require(process.argv[1]).version' "$HOUSE/package.json")
PASSED=0
ok() {
  PASSED=$((PASSED + 1))
  echo "ok: $*"
}
die() {
  echo "FAILED: $*" >&2
  exit 1
}
# holds WHAT COMMAND...: the command succeeds, within five minutes.
holds() {
  local what=$1 said
  shift
  said=$(timeout --kill-after=10 300 "$@" 2>&1) || die "$what: $said"
  ok "$what"
}
# says WHAT PATTERN COMMAND...: it also says something.
says() {
  local what=$1 pattern=$2 said
  shift 2
  said=$(timeout --kill-after=10 300 "$@" 2>&1) || die "$what: $said"
  grep -qE -- "$pattern" <<< "$said" || die "$what: $pattern is not in: $said"
  ok "$what"
}
built() { # file, script that makes it
  [ -f "$1" ] || die "$1 is missing: run \`npm run $2\` first"
}
