import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { openJournal } from '../../main/journal/journal.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { openInstallation } from '../../main/platform/settings/head-anchor.ts'
import { must } from '../../shared/domain/must.ts'
import { RunEvent } from '../../shared/domain/run.ts'
import { type DiskFault, failingDiskHere } from '../fixtures/failing-disk.ts'
import { everyEffect, keptCloud, type OneProcess, oneProcess } from './toy-run.ts'

/**
 * Started over a failing disk: one run of the engine with a real journal for each write and each way in which it can fail. After the fault the disk has
 * room again. Then the journal must open for writing and contain each event that append returned for, with its chain; and the run must resume to its
 * end with each effect once. Each violation is a line of JSON; the last line has the number of tries.
 *
 * Arguments: the faults (comma), the distance of the tested writes, the first write.
 */
const [kinds = 'full,once-EIO,from-EIO,short,freeze', stride = '1', begin = '1'] = process.argv.slice(2)
const disk = must(failingDiskHere(), 'it is started over a failing disk')
// Shared memory, where it may be used, is the fastest disk there is.
const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'lockkeeper-sweep-'))
const worlds = mkdtempSync(join(tmpdir(), 'lockkeeper-worlds-'))
disk.watch(base)

function faultAt(kind: string, at: number): DiskFault {
  switch (kind) {
    case 'once-EIO':
      return { kind: 'once', at, error: 'EIO' }
    case 'once-ENOSPC':
      return { kind: 'once', at, error: 'ENOSPC' }
    case 'from-EIO':
      return { kind: 'from', at, error: 'EIO' }
    case 'from-ENOSPC':
      return { kind: 'from', at, error: 'ENOSPC' }
    case 'full':
    case 'short':
    case 'kill':
    case 'kill-half':
    case 'freeze':
      return { kind, at }
    default:
      throw new Error(`no fault ${kind}`)
  }
}

/** As {@link oneProcess}, in a separate process that may be killed. */
async function killedProcess(path: string, worldFile: string, returned: RunEvent[]): Promise<OneProcess> {
  const program = join(import.meta.dirname, 'toy-run-process.ts')
  const words = ['--disable-warning=ExperimentalWarning', program, path, worldFile]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  const [, signal] = await once(child, 'close')
  const lines = (await said).split('\n').filter(line => line !== '')
  const last = signal === null ? lines.pop() : undefined
  for (const line of lines) returned.push(RunEvent.parse(JSON.parse(line)))
  return last === undefined ? { words: [], rest: 'killed' } : (JSON.parse(last) as OneProcess)
}

/** The violations after this fault; the final state of the first process, and the number of writes. */
async function tried(folder: string, fault: DiskFault | null) {
  const path = join(folder, 'data', 'journal.db')
  const worldFile = join(worlds, basename(folder))
  mkdirSync(join(folder, 'data'), { recursive: true })
  if (fault !== null) disk.arm(fault)
  else disk.watch(base)
  const returned: RunEvent[] = []
  const dies = fault?.kind === 'kill' || fault?.kind === 'kill-half'
  const first = dies
    ? await killedProcess(path, worldFile, returned)
    : await oneProcess(path, worldFile, 1, event => returned.push(event))
  const writes = disk.counted()
  const seen = fault === null ? '' : (disk.seen()[fault.at - 1] ?? 'none')
  disk.disarm()
  const wrong: string[] = []
  if (first.words.some(said => said.includes('move it away'))) wrong.push(`said: ${first.words.join(' | ')}`)
  if (first.rest === 'threw') wrong.push(`threw: ${first.words.join(' | ')}`)
  // A partly written key could never sign again.
  const { key, anchor } = openInstallation(dirname(path))
  if (!key.ok) wrong.push(key.failure.message)
  const opened = openJournal({ path, clock: systemClock, anchor })
  if (!opened.ok) wrong.push(`does not open: ${opened.failure.message}`)
  else {
    const journal = opened.value
    if (journal.readOnly !== null) wrong.push(`opens for reading only: ${journal.readOnly.message}`)
    const runId = returned[0]?.runId
    const there = runId === undefined ? null : journal.events(runId)
    const kept = new Map(there?.ok === true ? there.value.map(event => [event.seq, event]) : [])
    for (const event of returned) {
      if (!isDeepStrictEqual(kept.get(event.seq), event)) wrong.push(`lost event ${event.seq}`)
    }
    const checked = journal.care.check()
    if (!checked.ok || !checked.value.ok) wrong.push(checked.ok ? checked.value.words : checked.failure.message)
    journal.close()
    const second = await oneProcess(path, worldFile, 2, () => {})
    if (second.rest !== 'done') wrong.push(`resumed to ${second.rest}: ${second.words.join(' | ')}`)
    const { effects } = keptCloud(worldFile)
    if (JSON.stringify(effects) !== JSON.stringify(everyEffect)) wrong.push(`effects: ${effects.join(', ')}`)
  }
  rmSync(folder, { recursive: true, force: true })
  rmSync(worldFile, { force: true })
  return { wrong, first, writes, seen }
}

try {
  const whole = await tried(join(base, 'whole'), null)
  if (whole.wrong.length > 0 || whole.first.rest !== 'done') throw new Error(JSON.stringify(whole))
  const rests: Record<string, Record<string, number>> = {}
  let runs = 0
  for (const kind of kinds.split(',')) {
    const counts: Record<string, number> = {}
    rests[kind] = counts
    // Beyond the last write of a whole run too: some faults cause more writes.
    for (let at = Number(begin); at <= whole.writes + 5; at += Number(stride)) {
      const { wrong, first, seen } = await tried(join(base, `${kind}-${at}`), faultAt(kind, at))
      runs += 1
      counts[first.rest] = (counts[first.rest] ?? 0) + 1
      if (wrong.length > 0) console.log(JSON.stringify({ kind, at, seen, wrong }))
    }
  }
  console.log(JSON.stringify({ writes: whole.writes, runs, rests }))
} finally {
  for (const folder of [base, worlds]) rmSync(folder, { recursive: true, force: true })
}
