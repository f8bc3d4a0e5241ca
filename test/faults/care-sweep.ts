import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { must } from '../../shared/domain/must.ts'
import { type DiskFault, failingDiskHere } from '../fixtures/failing-disk.ts'
import {
  archivesIn,
  CARES,
  type Care,
  type CareResult,
  caredFor,
  copyIn,
  type Events,
  eventsIn,
  eventsOfCopy,
  prepareCare,
} from './care.ts'

/**
 * Started over a failing disk: one care of a whole journal for each write and each way in which it can fail. After the fault the disk has room
 * again. Then the journal must open for writing, with all its events or with those after the care, and a second care must succeed.
 *
 * Arguments: the faults (comma), the distance of the tested writes, the first write, the cares (comma; else all).
 */
const [kinds = 'full,from-EIO,kill,kill-half', stride = '1', begin = '1', cares = CARES.join(',')] =
  process.argv.slice(2)
const disk = must(failingDiskHere(), 'it is started over a failing disk')
const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'lockkeeper-care-'))

function faultAt(kind: string, at: number): DiskFault {
  switch (kind) {
    case 'from-EIO':
      return { kind: 'from', at, error: 'EIO' }
    case 'full':
    case 'kill':
    case 'kill-half':
      return { kind, at }
    default:
      throw new Error(`no fault ${kind}`)
  }
}

function inItsOwnProcess(care: Care, folder: string): CareResult | null {
  const program = join(import.meta.dirname, 'care-process.ts')
  const words = ['--disable-warning=ExperimentalWarning', program, care, folder]
  const { stdout, signal } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return signal === null ? (JSON.parse(stdout) as CareResult) : null
}

/** The events must be those before the care, or those after it. */
function whatIsWrong(
  care: Care,
  folder: string,
  before: Events,
  after: Events,
  result: CareResult | null,
): readonly string[] {
  const wrong: string[] = []
  if (result?.words.startsWith('threw') || result?.words.includes('damaged') || result?.words.includes('move it away'))
    wrong.push(`said: ${result.words}`)
  try {
    const there = eventsIn(folder)
    const isDone = isDeepStrictEqual(there, after)
    if (!isDone && !isDeepStrictEqual(there, before)) wrong.push('it was done partly')
    if (result?.done === true && !isDone) wrong.push('it was reported as done')
    if (care === 'prune' && isDone && !archivesIn(folder).some(path => isDeepStrictEqual(eventsOfCopy(path), before)))
      wrong.push('no complete copy of the removed runs')
    if (existsSync(copyIn(folder)) && !isDeepStrictEqual(eventsOfCopy(copyIn(folder)), before))
      wrong.push('half a copy')
    if (care === 'export' && result?.done === true && !existsSync(copyIn(folder))) wrong.push('reported as copied')
    rmSync(copyIn(folder), { force: true })
    const again = caredFor(care, folder)
    if (!again.done) wrong.push(`once more: ${again.words}`)
    if (!isDeepStrictEqual(eventsIn(folder), after)) wrong.push('the result of a second care is wrong')
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error))
  }
  return wrong
}

try {
  for (const care of CARES.filter(care => cares.split(',').includes(care))) {
    const prepared = join(base, care)
    mkdirSync(prepared)
    prepareCare(care, prepared)
    const fresh = (name: string) => {
      const folder = join(base, `${care}-${name}`)
      cpSync(prepared, folder, { recursive: true })
      return folder
    }
    const looked = fresh('before')
    const before = eventsIn(looked)
    const whole = fresh('whole')
    disk.watch(base)
    const result = caredFor(care, whole)
    const writes = disk.counted()
    disk.disarm()
    if (!result.done) throw new Error(result.words)
    const after = eventsIn(whole)
    for (const folder of [looked, whole]) rmSync(folder, { recursive: true })
    const rests: Record<string, Record<string, number>> = {}
    for (const kind of kinds.split(',')) {
      const counts: Record<string, number> = {}
      rests[kind] = counts
      for (let at = Number(begin); at <= writes + 5; at += Number(stride)) {
        const folder = fresh(`${kind}-${at}`)
        disk.arm(faultAt(kind, at))
        const first = kind.startsWith('kill') ? inItsOwnProcess(care, folder) : caredFor(care, folder)
        const seen = disk.seen()[at - 1] ?? 'none'
        disk.disarm()
        const rest = first === null ? 'killed' : first.done ? 'done' : 'refused'
        counts[rest] = (counts[rest] ?? 0) + 1
        const wrong = whatIsWrong(care, folder, before, after, first)
        if (wrong.length > 0) console.log(JSON.stringify({ care, kind, at, seen, wrong }))
        rmSync(folder, { recursive: true, force: true })
      }
    }
    console.log(JSON.stringify({ care, writes, rests }))
  }
} finally {
  rmSync(base, { recursive: true, force: true })
}
