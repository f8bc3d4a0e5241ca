#!/usr/bin/env bash
# The Helm chart by Go's own text/template and sprig (Debian has no helm): what our tests render is what Helm renders.
# Without Go or sprig on this machine it is named and left out.
. "$(dirname "${BASH_SOURCE[0]}")/words.sh"
GOCODE=/usr/share/gocode
if ! command -v go >/dev/null || [ ! -d $GOCODE/src/github.com/Masterminds/sprig ]; then
  echo "left out: Go or sprig is missing (apt-get install golang-go golang-github-masterminds-sprig-dev)"
  exit 0
fi
chart=$HOUSE/dist/lockkeeper-runner-$VERSION.tgz
built "$chart" package:helm
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
tar --extract --file "$chart" --directory "$place"
export GO111MODULE=off GOPATH=$GOCODE GOCACHE=$place/cache GOFLAGS= HOME=$place
holds "the renderer is built" go build -o "$place/render" "$HOUSE/test/packages/helm/render.go"
said=$(timeout 60 node --disable-warning=ExperimentalWarning "$HOUSE/test/packages/helm/compare.ts" "$place/lockkeeper-runner" "$place/render" 2>&1) || die "the chart: $said"
while read -r line; do ok "the chart, $line"; done <<< "$said"
if command -v helm >/dev/null; then
  holds "helm finds no fault" helm lint "$chart"
else
  echo "left out: helm is missing"
fi
echo "$PASSED passed, 0 failed"
