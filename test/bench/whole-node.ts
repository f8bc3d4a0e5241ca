import { execFile } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { z } from 'zod'
import { openOpenStackSession } from '../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../main/adapters/openstack/openstack-port.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import { must } from '../../shared/domain/must.ts'
import { value } from '../contract/target.ts'
import { bootServers } from '../lab/cli/boot-servers.ts'
import { LAB_CLOUDS, LAB_KUBECONFIG, LAB_OPENSTACK_LOGS } from '../lab/lab-places.ts'
import { deleteServers, namesOn } from '../lab/roles/lab-console.ts'
import { LAB_CLOUD } from './lab-cloud.ts'
import { limitPerSource } from './live-migration-limit.ts'
import { withMigrationsOfSeconds } from './migration-seconds.ts'
import { moveTimes, novasOwnMs } from './novas-own.ts'

/**
 * One node out of service and back by the built terminal face (`npm run build:cli`): from the start of the process to its end, over Nova's own time
 * (its migrations by its own logs, at this concurrency), and the requests in Nova's log. Needs the lab (`npm run lab:up`).
 */
const HOST = 'cmp-3'
const LOCKKEEPER = join(import.meta.dirname, '../../bin/lockkeeper')
const NOVA_LOG = join(LAB_OPENSTACK_LOGS, 'nova-api.log')
const PREFIX = `bench-whole-${process.pid}`
const run = promisify(execFile)
const Runs = z.array(z.object({ id: z.string() }))
const Steps = z.object({
  steps: z.array(z.object({ kind: z.string(), startedAt: z.string().nullable(), endedAt: z.string().nullable() })),
})
const dataDirectory = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-whole-'))
const session = value(await openOpenStackSession({ cloud: LAB_CLOUD, clock: systemClock, log: silentLogger }))
const port = createOpenStackPort({ session })

try {
  await lockkeeper(
    'cluster',
    'add',
    'lab',
    '--kubeconfig',
    LAB_KUBECONFIG,
    '--clouds-yaml',
    LAB_CLOUDS,
    '--cloud',
    'lab',
  )
  // The first call asks Keystone for a token, which is kept.
  await lockkeeper('nodes', 'lab')
  await withMigrationsOfSeconds(measureAll)
} finally {
  limitPerSource(1)
  await deleteServers(PREFIX)
  session.close()
  rmSync(dataDirectory, { recursive: true, force: true })
}

async function measureAll(): Promise<void> {
  let booted = 0
  const seeded = (await namesOn(HOST)).length
  for (const instances of [8, 12]) {
    const more = Array.from({ length: instances - seeded - booted }, (_, index) => `${PREFIX}-${booted + index}`)
    await bootServers(
      HOST,
      more.map(name => ({ name, tag: null, status: 'ACTIVE' as const })),
    )
    booted += more.length
    for (const concurrency of [1, 3]) {
      limitPerSource(concurrency)
      const limits = ['--concurrency', String(concurrency), '--yes']
      await measure('enter', concurrency, ['enter', 'lab', HOST, ...limits])
      await measure('leave --home', concurrency, ['leave', 'lab', HOST, '--home', ...limits])
    }
  }
}

async function measure(what: string, concurrency: number, args: readonly string[]): Promise<void> {
  const last = value(await port.migrations({ host: HOST })).reduce((most, { id }) => Math.max(most, id), 0)
  const { size } = await stat(NOVA_LOG)
  const began = performance.now()
  await lockkeeper(...args)
  const wallS = (performance.now() - began) / 1000
  const records = value(await port.migrations({ host: HOST })).filter(({ id }) => id > last)
  const novaS = novasOwnMs(records, concurrency, moveTimes(LAB_OPENSTACK_LOGS)) / 1000
  const asked = new Map<string, number>()
  for (const line of (await text(createReadStream(NOVA_LOG, { start: size }))).split('\n')) {
    const request = /"((?:GET|POST|PUT|PATCH|DELETE) \/v2\.1[^ ?"]*)[^"]*" status: \d+/.exec(line)?.[1]
    if (request === undefined) continue
    const kind = request
      .replace('/v2.1', '')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replace(/migrations\/\d+/, 'migrations/ID')
    asked.set(kind, (asked.get(kind) ?? 0) + 1)
  }
  const total = [...asked.values()].reduce((sum, count) => sum + count, 0)
  const { id } = must(
    Runs.parse(JSON.parse((await lockkeeper('runs', 'lab', '-o', 'json')).stdout))[0],
    'there is a run',
  )
  const movingS = movingMs(Steps.parse(JSON.parse((await lockkeeper('run', 'show', id, '-o', 'json')).stdout))) / 1000
  const ratio = (seconds: number) => `${seconds.toFixed(1)} s, ratio ${(seconds / novaS).toFixed(3)}`
  const requests = [...asked].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${count} ${kind}`)
  console.log(
    `${what} of ${records.length} instances, ${concurrency} at once: wall ${ratio(wallS)} (aim: at most 1.15), of which moving ${ratio(movingS)} (aim: at most 1.05); Nova's own ${novaS.toFixed(1)} s; ${total} requests to Nova: ${requests.join(', ')}`,
  )
  if (process.argv.includes('--steps')) console.log((await lockkeeper('run', 'show', id, '-v')).stdout)
}

/** How long the step that moves instances took, with its verification if another step depends on that. */
function movingMs({ steps }: z.infer<typeof Steps>): number {
  const step = must(
    steps.find(({ kind }) => kind === 'migrate-instances' || kind === 'bring-home'),
    'a step moves instances',
  )
  return Date.parse(must(step.endedAt, 'it ended')) - Date.parse(must(step.startedAt, 'it began'))
}

function lockkeeper(...args: readonly string[]): Promise<{ stdout: string }> {
  return run(LOCKKEEPER, ['--data-dir', dataDirectory, ...args], { maxBuffer: 1 << 26 })
}
