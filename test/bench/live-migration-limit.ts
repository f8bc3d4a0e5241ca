import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const OPENSTACK_LAB = join(import.meta.dirname, '../lab/openstack')

/** The lab runs one live migration per source host at a time; a higher concurrency needs its limit raised, which restarts nova-compute. */
export function limitPerSource(limit: number): void {
  const env = { ...process.env, OSLAB_MAX_LIVE_MIGRATIONS: String(limit) }
  const bash = (script: string) =>
    execFileSync('bash', ['-c', script], { cwd: OPENSTACK_LAB, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const since = new Date().toISOString().slice(0, 19)
  bash('. ./env.sh; . ./configs.sh; for i in $(seq "$COMPUTES"); do stop nova-compute-$i; start_compute $i; done')
  // Nova reports a service as up for a minute after it stopped: only one that reported since then accepts instances.
  const services = `./openstack.sh compute service list --service nova-compute -f value -c State -c "Updated At"`
  bash(
    `for i in $(seq 120); do n=$(${services} | awk '$1 == "up" && substr($2, 1, 19) > "${since}"' | wc -l); [ "$n" -ge 4 ] && exit 0; sleep 1; done; exit 1`,
  )
}
