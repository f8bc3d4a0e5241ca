import { execFile, spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { ExecInPod } from '../../../main/ports/kubernetes.ts'
import { kubectl } from '../cli/referees.ts'
import { LAB_KUBECONFIG } from '../lab-places.ts'

/** The lab's real Ceph (test/lab/README.md), asked by its own client: the referee of what our console says and sets. */

type LabCeph = 'pacific' | 'modern'

/** Which of the lab's Cephs is played against: LOCKKEEPER_LAB_CEPH says it, release.sh takes the same. */
const LAB_CEPH: LabCeph = labCeph(process.env.LOCKKEEPER_LAB_CEPH ?? 'pacific')
const CEPH = `/var/lib/lockkeeper-lab/${{ pacific: 'ceph', modern: 'ceph-modern' }[LAB_CEPH]}`
const CONF = join(CEPH, 'ceph.conf')
/** The release's own commands come first. */
const ENV = { ...process.env, PATH: `${join(CEPH, 'bin')}:${process.env.PATH}` }
const execute = promisify(execFile)
const run = (command: string, args: readonly string[]) => execute(command, args, { env: ENV })

function labCeph(name: string): LabCeph {
  if (name === 'pacific' || name === 'modern') return name
  throw new Error(`LOCKKEEPER_LAB_CEPH is ${name}: pacific or modern.`)
}

/** Starts Ceph when it is down; takes a second when it is up, minutes on a machine that never had it. */
export function startCeph(): void {
  const { status, stderr } = spawnSync(join(import.meta.dirname, 'up.sh'), { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Ceph did not start: ${stderr}`)
}

/** What `ceph` answers, as JSON. */
export async function ceph(...words: readonly string[]): Promise<unknown> {
  const { stdout } = await run('ceph', ['-c', CONF, ...words, '--format', 'json'])
  return stdout.trim() === '' ? null : JSON.parse(stdout)
}

/** Starts the toolbox pod unless it answers already; the answer ends what was started. */
export async function startToolbox(exec: ExecInPod): Promise<() => Promise<void>> {
  const answers = async () => {
    const command = { namespace: 'rook-ceph', pod: 'rook-ceph-tools-0', container: null, command: ['true'] }
    const answer = await exec({ ...command, timeoutMs: 5_000 })
    return answer.ok && answer.value.exitCode === 0
  }
  if (await answers()) return async () => {}
  const script = join(import.meta.dirname, '../kubernetes/toolbox.mjs')
  const child = spawn(process.execPath, [script, dirname(LAB_KUBECONFIG), CONF], { stdio: 'ignore', env: ENV })
  const giveUpAt = Date.now() + 60_000
  while (!(await answers())) {
    if (Date.now() > giveUpAt) throw new Error('The toolbox pod never answered')
    await new Promise(resolve => setTimeout(resolve, 500))
  }
  return async () => {
    child.kill()
    await kubectl(
      '-n',
      'rook-ceph',
      'delete',
      'pod',
      'rook-ceph-tools-0',
      '--grace-period=0',
      '--force',
      '--ignore-not-found',
    )
    await kubectl('delete', 'node', 'ops-1', '--ignore-not-found')
  }
}

/** Stops the daemons of OSDs, as a node that goes down does. */
export async function stopOsds(ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const pid = await readFile(join(CEPH, 'run', `osd.${id}.pid`), 'utf8').catch(() => null)
    if (pid !== null) process.kill(Number(pid))
  }
}

/** Starts the daemons of OSDs of a CRUSH host. */
export async function startOsds(ids: readonly number[], host: string): Promise<void> {
  for (const id of ids) {
    await run('ceph-osd', ['-c', CONF, '-i', String(id), '--crush-location', `root=default host=${host}`])
  }
}

const Groups = z.object({ pgmap: z.object({ pgs_by_state: z.array(z.object({ state_name: z.string() })) }) })
/** Whether every placement group is clean, by Ceph's own client; one that is slow to answer may be called laggy besides. */
export async function isClean(): Promise<boolean> {
  const { pgmap } = Groups.parse(await ceph('status'))
  return pgmap.pgs_by_state.every(({ state_name }) => /^active\+clean(\+|$)/.test(state_name))
}

/** Looks until something holds. */
export async function until(what: string, holds: () => Promise<boolean>, withinMs = 180_000): Promise<void> {
  const giveUpAt = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error(`It did not come about within ${withinMs} ms: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 300))
  }
}

/** Gives every OSD a Deployment as Rook makes them, whose pods its real daemon follows; the answer ends that, with all daemons running. */
export async function startOsdKeeper(): Promise<() => Promise<void>> {
  const script = join(import.meta.dirname, 'osd-keeper.mjs')
  const child = spawn(process.execPath, [script, dirname(LAB_KUBECONFIG), CEPH], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENV,
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise(resolve => child.on('exit', resolve))
  await until('every OSD has its pod', async () => said.includes('every OSD has its pod'))
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}
