#!/bin/bash
# Stops what up.sh started, by its pidfiles. `down.sh --wipe` also deletes
# /var/lib/lockkeeper-lab/openstack (databases, configuration, logs); packages stay.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
rm -f "$ROOT/ready"
last="mariadb rabbitmq epmd"
for n in $(process_names); do case " $last " in *" $n "*) ;; *) stop "$n" & ;; esac; done
wait
for n in $last; do stop "$n"; done
[ "${1:-}" = --wipe ] && { rm -rf "$ROOT"; say "$ROOT deleted"; }
say "the lab is down"
