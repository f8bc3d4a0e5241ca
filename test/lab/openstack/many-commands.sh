#!/bin/bash
# The `openstack` client of the release for many commands, which many_commands.py reads from its input: the tests' referee.
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
exec $INSIDE env OS_CLIENT_CONFIG_FILE="$ROOT/clouds.yaml" /usr/bin/python3 "$CODE/many_commands.py"
