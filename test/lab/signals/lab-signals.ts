import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A real Alertmanager and a real Prometheus, started by up.sh and stopped by down.sh. */
export async function startLabSignals() {
  const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-lab-signals-'))
  const { stdout } = await run(join(import.meta.dirname, 'up.sh'), [directory])
  const addressOf = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(stdout)?.[1] ?? ''
  return {
    alertmanager: addressOf('alertmanager'),
    prometheus: addressOf('prometheus'),
    stop: () => run(join(import.meta.dirname, 'down.sh'), [directory]),
  }
}
