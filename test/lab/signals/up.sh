#!/usr/bin/env bash
# Starts a Prometheus and an Alertmanager of Debian's packages on loopback, with separate data. Prints where they are. Safe to run again.
# usage: up.sh [DIRECTORY]   without it: lockkeeper-lab-signals in the temporary directory
set -euo pipefail
DIR=${1:-${TMPDIR:-/tmp}/lockkeeper-lab-signals}
ALERTMANAGER=127.0.0.1:19093 PROMETHEUS=127.0.0.1:19090
. "$(dirname "${BASH_SOURCE[0]}")/../packages.sh"
# What it says goes beside the two addresses.
apt_install $SIGNALS_PACKAGES >&2
mkdir -p "$DIR/alertmanager" "$DIR/prometheus"
cat >"$DIR/alertmanager.yml" <<END
route: { receiver: nobody }
receivers: [{ name: nobody }]
END
cat >"$DIR/prometheus.yml" <<END
# A scrape may take as long as the interval: a busy machine is not a lost target.
global: { scrape_interval: 5s, evaluation_interval: 1s }
scrape_configs:
  - job_name: itself
    static_configs: [{ targets: ['$PROMETHEUS'] }]
END
running() { [ -e "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }
running "$DIR/alertmanager.pid" || {
  setsid prometheus-alertmanager --config.file="$DIR/alertmanager.yml" --storage.path="$DIR/alertmanager" \
    --web.listen-address=$ALERTMANAGER --cluster.listen-address= >"$DIR/alertmanager.log" 2>&1 </dev/null &
  echo $! >"$DIR/alertmanager.pid"
}
running "$DIR/prometheus.pid" || {
  setsid prometheus --config.file="$DIR/prometheus.yml" --storage.tsdb.path="$DIR/prometheus" \
    --web.listen-address=$PROMETHEUS >"$DIR/prometheus.log" 2>&1 </dev/null &
  echo $! >"$DIR/prometheus.pid"
}
ready() { for _ in $(seq 120); do (exec 3<>"/dev/tcp/${1/://}") 2>/dev/null && return 0; sleep 0.25; done; echo "$1 does not answer" >&2; return 1; }
ready $ALERTMANAGER
ready $PROMETHEUS
echo "alertmanager http://$ALERTMANAGER"
echo "prometheus http://$PROMETHEUS"
