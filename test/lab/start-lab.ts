import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Starts the lab before the first test when it is down; takes a second when it is up, minutes on a machine that never had it. */
export function setup(): void {
  const { status, error } = spawnSync(join(import.meta.dirname, 'up.sh'), { stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error('The lab did not start; the lines above say why. `npm run lab:up` tries again.')
}
