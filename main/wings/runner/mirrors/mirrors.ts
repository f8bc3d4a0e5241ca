import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalStretch } from '../../../../shared/contract/attach.ts'
import { minutes } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { ChainHead } from '../../../../shared/domain/journal-chain.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { describeDatabaseError } from '../../../journal/database-trouble.ts'
import { type Journal, journalFrom } from '../../../journal/journal.ts'
import { openDatabase } from '../../../journal/open-journal.ts'
import { type Clock, isoNow } from '../../../platform/clock/clock.ts'
import { firstLinkOf, type MirrorMade, type MirrorWriter, mirrorWriter } from './mirror.ts'

/** The received part of a runner's journal, readable as any journal. */
export interface JournalMirror extends MirrorWriter {
  /** Unique for each journal: the beginning of the hash of its first link. */
  readonly id: string
  readonly journal: Omit<
    Journal,
    'append' | 'createRun' | 'takeOverRun' | 'claim' | 'requestControl' | 'takeControls' | 'heartbeat'
  >
  /** Keeps its file open until every holder released it once; then it is closed, and reopened on the next request. */
  hold(): () => void
}

type MirrorPod = Omit<MirrorMade, 'at'>

export interface JournalMirrors {
  /** The existing mirrors, without empty ones; one that cannot be opened is left out and reported to `onTrouble`. */
  all(): readonly JournalMirror[]
  of(first: ChainHead): Result<JournalMirror | null>
  /** Creates an empty mirror if the first link matches its hash. Refuses a pod that shows one new journal after another. */
  make(reported: JournalStretch, pod: MirrorPod): Result<JournalMirror>
  close(): void
}

const ENDING = '.db'
/** Maximum number of journals from one pod: each may reach a mirror's limit, and every list of runs reads it. */
const MOST_OF_A_POD = 8
/** A volume may be replaced, but not again within this time. */
const BETWEEN_CHANGES_MS = minutes(60)

/** Opens the mirrors in a folder, created with the first one; other processes may have them open. `mostBytes`: the limit of one mirror. */
export function openMirrors(
  folder: string,
  clock: Clock,
  onTrouble: (why: string) => void,
  mostBytes?: number,
): JournalMirrors {
  const open = new Map<string, JournalMirror & { close(): void }>()
  /** Empty files, created before their first link arrived: they are not opened repeatedly. */
  const empty = new Set<string>()
  const pathOf = (id: string) => join(folder, `${id}${ENDING}`)
  const opened = (id: string): Result<JournalMirror> => {
    const known = open.get(id)
    if (known !== undefined) return ok(known)
    const made = openMirror(pathOf(id), id, clock, mostBytes)
    if (!made.ok) return made
    let holders = 0
    const close = () => {
      if (open.get(id) === mirror) open.delete(id)
      made.value.close()
    }
    const hold = () => {
      holders += 1
      return () => {
        holders -= 1
        if (holders === 0 && open.get(id) === mirror) close()
      }
    }
    const mirror = { ...made.value, hold, close }
    open.set(id, mirror)
    return ok(mirror)
  }
  const all = (): readonly JournalMirror[] => {
    const ids = existsSync(folder)
      ? readdirSync(folder).flatMap(file => (ID.test(file) ? [file.slice(0, -ENDING.length)] : []))
      : []
    return ids.flatMap(id => {
      if (empty.has(id)) return []
      const isNew = !open.has(id)
      const mirror = opened(id)
      if (!mirror.ok) {
        onTrouble(mirror.failure.message)
        return []
      }
      if (isNew && mirror.value.made() === null && mirror.value.head() === null) {
        empty.add(id)
        open.get(id)?.close()
        return []
      }
      return [mirror.value]
    })
  }
  return {
    all,
    // The hash comes from the runner and becomes a file name.
    of: ({ hash }) => {
      if (!HASH.test(hash)) {
        return failed(refusal('unreadable', because('MirrorWithoutHash')))
      }
      const id = hash.slice(0, ID_LENGTH)
      return open.has(id) || (!empty.has(id) && existsSync(pathOf(id))) ? opened(id) : ok(null)
    },
    make: (reported, pod) => {
      const first = firstLinkOf(reported)
      if (!first.ok) return first
      const id = first.value.hash.slice(0, ID_LENGTH)
      const refused = whyNoMore(all(), pod, clock, pathOf)
      if (refused !== null) return failed(refused)
      const mirror = opened(id)
      if (!mirror.ok) return mirror
      empty.delete(id)
      const kept = mirror.value.keepMade({ ...podOf(pod), at: isoNow(clock) })
      return kept.ok ? mirror : kept
    },
    close: () => {
      for (const mirror of open.values()) mirror.close()
      open.clear()
    },
  }
}

const ID_LENGTH = 24
const HASH = /^[0-9a-f]{64}$/
const ID = /^[0-9a-f]{24}\.db$/

/** Why no other journal of a pod is stored; null if it is. The first change is always accepted: a volume was replaced. */
function whyNoMore(
  all: readonly JournalMirror[],
  pod: MirrorPod,
  clock: Clock,
  pathOf: (id: string) => string,
): Failure | null {
  const theirs = all
    .flatMap(mirror => {
      const of = mirror.made() ?? mirror.about()
      return of !== null && isSame(of, pod) ? [{ mirror, at: mirror.made()?.at ?? '' }] : []
    })
    .toSorted((a, b) => a.at.localeCompare(b.at))
  const [oldest] = theirs
  const newest = theirs.at(-1)
  const target = { target: `cluster/${pod.by}` }
  if (oldest !== undefined && theirs.length >= MOST_OF_A_POD) {
    const why = because('MirrorsTooMany', { ...podOf(pod), kept: theirs.length, oldest: pathOf(oldest.mirror.id) })
    return refusal('conflict', why, target)
  }
  const madeMs = Date.parse(newest?.at ?? '')
  // Setting the clock back does not allow more of them.
  if (theirs.length > 1 && Math.abs(clock.now() - madeMs) < BETWEEN_CHANGES_MS) {
    const from = new Date(madeMs + BETWEEN_CHANGES_MS).toISOString()
    return refusal('conflict', because('MirrorsTooOften', { ...podOf(pod), from }), target)
  }
  return null
}

function podOf({ by, namespace, name }: MirrorPod): MirrorPod {
  return { by, namespace, name }
}

function isSame(one: MirrorPod, other: MirrorPod): boolean {
  return one.by === other.by && one.namespace === other.namespace && one.name === other.name
}

function openMirror(path: string, id: string, clock: Clock, mostBytes: number | undefined) {
  const database = openDatabase(path)
  if (!database.ok) return database
  const { readOnly } = database.value
  if (readOnly !== null) {
    database.value.close()
    return failed(readOnly)
  }
  try {
    const writer = mirrorWriter(database.value.database, path, mostBytes)
    const journal = journalFrom({ ...database.value, lost: null, mayAccept: false, knownSeq: 0 }, path, clock, null)
    return ok({ ...writer, id, journal, close: journal.close })
  } catch (error) {
    database.value.close()
    return failed(describeDatabaseError(error, path))
  }
}
