#!/bin/bash
# The `openstack` client of the release, as the cloud `lab` unless OSLAB_CLOUD says another: openstack.sh server list --all-projects
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
exec $INSIDE env OS_CLIENT_CONFIG_FILE="$ROOT/clouds.yaml" OS_CLOUD="${OSLAB_CLOUD:-lab}" openstack "$@"
