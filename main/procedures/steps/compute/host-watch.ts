import { minutes } from '../../../../shared/domain/durations.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { CloudReads } from '../../../ports/openstack.ts'
import { refusal } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'

interface HostPicture {
  readonly instances: ReadonlyMap<string, Instance>
  /** The number of the look that listed the instances; 0: no look yet. */
  readonly listed: number
  /** When the last look began. */
  readonly beganMs: number
  readonly recordsOf: (id: string) => readonly Migration[]
  /** Live migrations off the host that Nova works on now: queued ones wait for these. */
  readonly carriedOut: () => readonly Migration[]
}

/** A move took longer than `fromMs`, when it was last seen under way, and no longer than `toMs`, when it was seen to have ended. */
export interface Took {
  readonly fromMs: number
  readonly toMs: number
}

/** Reads one host for all that follow an instance of it, at most once a second. */
export interface HostWatch {
  readonly host: string
  /** A look with a higher number is newer than this moment. */
  readonly begun: () => number
  /** Reads all migrations from and to the host; later reads get only changes. */
  readonly open: () => Promise<Result<void>>
  /** The view after the next look, which begins at the time that `dueMs` tells from the beginning of the last one, or earlier. */
  readonly next: (dueMs: (lastMs: number) => number) => Promise<Result<HostPicture>>
  /** Notes how long a move from the host took. */
  readonly took: (between: Took) => void
  /** How long the last moves took; null before the first arrived. */
  readonly usual: () => Took | null
  /** Newest first, at most some seconds old. */
  readonly recordsOf: (id: string) => Promise<Result<readonly Migration[]>>
}

/** Migrations are read about once a second, and never twice in a row. */
const RECORDS_APART_MS = 900
/** A host often empties evenly: its next move takes about as long as these. */
const MOVES_COMPARED = 2
/** How often a waiting look checks whether a caller wants it sooner. */
const SLICE_MS = 500
const FRESH_MS = 2_000

/** A margin for compute hosts with a slow clock: each writes its records by its own. */
const CLOCKS_APART_MS = minutes(5)

const CARRIED_OUT: ReadonlySet<string> = new Set(['preparing', 'running', 'post-migrating'])

interface WatchedHost {
  readonly host: string
  readonly ctx: MaintenanceContext
  readonly reads: CloudReads
  readonly records: Map<string, Migration>
  instances: ReadonlyMap<string, Instance>
  /** The number of the look that listed the instances. */
  listed: number
  begun: number
  begunAtMs: number
  recordsAtMs: number
  isListTurn: boolean
  /** The earliest time that a caller of the next look asked for. */
  dueMs: number
  lastTook: readonly Took[]
  nextLook: Promise<Result<HostPicture>> | null
  reading: Promise<Result<void>> | null
}

export function createHostWatch(host: string, ctx: MaintenanceContext): HostWatch {
  const watched: WatchedHost = {
    host,
    ctx,
    reads: readsWithGroupsOnce(ctx),
    records: new Map(),
    instances: new Map(),
    listed: 0,
    begun: 0,
    begunAtMs: Number.NEGATIVE_INFINITY,
    recordsAtMs: Number.NEGATIVE_INFINITY,
    isListTurn: true,
    dueMs: Number.POSITIVE_INFINITY,
    lastTook: [],
    nextLook: null,
    reading: null,
  }
  return {
    host,
    begun: () => watched.begun,
    open: () => readRecords(watched, null),
    took: between => {
      watched.lastTook = [between, ...watched.lastTook].slice(0, MOVES_COMPARED)
    },
    usual: () =>
      watched.lastTook.length === 0
        ? null
        : {
            fromMs: Math.min(...watched.lastTook.map(({ fromMs }) => fromMs)),
            toMs: Math.max(...watched.lastTook.map(({ toMs }) => toMs)),
          },
    next: dueMs => {
      watched.dueMs = Math.min(watched.dueMs, dueMs(watched.begunAtMs))
      watched.nextLook ??= lookWhenDue(watched)
      return watched.nextLook
    },
    recordsOf: async id => {
      const isFresh = ctx.clock.monotonicMs() - watched.recordsAtMs <= FRESH_MS
      const read = isFresh ? ok(undefined) : await readChanged(watched)
      return read.ok ? ok(recordsOf(watched, id)) : read
    },
  }
}

/** Server groups were read when the instances were chosen; they need no read every second. */
function readsWithGroupsOnce(ctx: MaintenanceContext): CloudReads {
  const cloud = cloudOf(ctx)
  let groups: ReturnType<CloudReads['serverGroups']> | null = null
  return {
    ...cloud,
    serverGroups: async () => {
      groups ??= cloud.serverGroups(ctx.signal)
      const read = await groups
      if (!read.ok) groups = null
      return read
    },
  }
}

/** Reads the instances or the migrations, in turn, once the wait that callers asked for has passed. */
async function lookWhenDue(watched: WatchedHost): Promise<Result<HostPicture>> {
  const { host, ctx } = watched
  const { clock, signal } = ctx
  await Promise.resolve()
  for (;;) {
    const leftMs = watched.dueMs - clock.monotonicMs()
    if (leftMs <= 0) break
    await clock.sleep(Math.min(leftMs, SLICE_MS), signal)
    if (signal.aborted) break
  }
  watched.nextLook = null
  watched.dueMs = Number.POSITIVE_INFINITY
  if (signal.aborted) return failed(refusal('aborted', fault('StoppedBeforeLook', { host })))
  watched.begun += 1
  watched.begunAtMs = clock.monotonicMs()
  const isList = watched.isListTurn || watched.begunAtMs - watched.recordsAtMs < RECORDS_APART_MS
  watched.isListTurn = !isList
  const read = await (isList ? readInstances(watched, watched.begun) : readChanged(watched))
  return read.ok ? ok(pictureOf(watched)) : read
}

function pictureOf(watched: WatchedHost): HostPicture {
  return {
    instances: watched.instances,
    listed: watched.listed,
    beganMs: watched.begunAtMs,
    recordsOf: id => recordsOf(watched, id),
    carriedOut: () =>
      [...watched.records.values()].filter(
        ({ sourceHost, type, status }) =>
          sourceHost === watched.host && type === 'live-migration' && CARRIED_OUT.has(status),
      ),
  }
}

async function readInstances(watched: WatchedHost, number: number): Promise<Result<void>> {
  const { host, ctx, reads } = watched
  const read = await ctx.retryTransient(`instances on ${host}`, () =>
    cloudOf(ctx).instancesOnHost(host, ctx.signal, reads),
  )
  if (!read.ok) return read
  if (number > watched.listed) {
    watched.instances = new Map(read.value.items.map(instance => [instance.id, instance]))
    watched.listed = number
  }
  return ok(undefined)
}

/** Reads the migrations that changed; callers at the same time share one read. */
async function readChanged(watched: WatchedHost): Promise<Result<void>> {
  watched.reading ??= readRecords(watched, lastChange(watched)).finally(() => {
    watched.reading = null
  })
  return watched.reading
}

async function readRecords(watched: WatchedHost, since: string | null): Promise<Result<void>> {
  const { host, ctx, records } = watched
  const atMs = ctx.clock.monotonicMs()
  const read = await ctx.retryTransient(`migrations of ${host}`, () =>
    cloudOf(ctx).migrations(since === null ? { host } : { host, since }, ctx.signal),
  )
  if (!read.ok) return read
  for (const record of read.value) records.set(`${record.instanceId} ${record.id}`, record)
  watched.recordsAtMs = Math.max(watched.recordsAtMs, atMs)
  return ok(undefined)
}

/** The newest change on record, less the margin for slow clocks; null if no record has a time. */
function lastChange({ records }: WatchedHost): string | null {
  const changes = [...records.values()].flatMap(({ updatedAt }) => (updatedAt === null ? [] : [Date.parse(updatedAt)]))
  return changes.length === 0 ? null : new Date(Math.max(...changes) - CLOCKS_APART_MS).toISOString()
}

function recordsOf({ records }: WatchedHost, id: string): readonly Migration[] {
  return [...records.values()].filter(({ instanceId }) => instanceId === id).sort((a, b) => b.id - a.id)
}
