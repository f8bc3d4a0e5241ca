#!/bin/bash
# Stops what up.sh started, by its pidfiles. `down.sh --wipe` also deletes the cloud's data (databases, configuration, logs); packages stay.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
rm -f "$ROOT/ready"
last="mariadb rabbitmq epmd"
for n in $(process_names); do case " $last " in *" $n "*) ;; *) stop "$n" & ;; esac; done
wait
for n in $last; do stop "$n"; done
# Nothing is mounted below it outside the processes' own namespaces; --one-file-system is the second belt.
[ "${1:-}" = --wipe ] && { rm -rf --one-file-system "$ROOT"; say "$ROOT deleted"; }
say "the OpenStack ($RELEASE) is down"
