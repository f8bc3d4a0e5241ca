import { minutes } from '../../../../shared/domain/durations.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { CloudReads } from '../../../ports/openstack.ts'
import { refusal } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'

/** The latest view of a host: its instances, and the migrations from and to it. */
interface HostPicture {
  readonly instances: ReadonlyMap<string, Instance>
  /** The number of the look that listed the instances; 0: no look yet. */
  readonly listed: number
  /** Newest first. */
  readonly recordsOf: (id: string) => readonly Migration[]
  /** Records of live migrations off the host that Nova works on now: queued ones wait for these. */
  readonly carriedOut: () => readonly Migration[]
}

/** One look at a host, shared by all who follow an instance of it. */
export interface HostWatch {
  readonly host: string
  /** How many looks have begun: a look with a higher number is newer than this moment. */
  readonly begun: () => number
  /** Reads all migrations from and to the host; later looks read only changes. */
  readonly open: () => Promise<Result<void>>
  /** The view after the next look, which begins at most `everyMs` after the last one. */
  readonly next: (everyMs: number) => Promise<Result<HostPicture>>
  /** Records of an instance's migrations, newest first, at most some seconds old. */
  readonly recordsOf: (id: string) => Promise<Result<readonly Migration[]>>
}

/** Minimum time between two looks: instances and migrations alternate, so each is read at most once a second. */
const LOOKS_APART_MS = 500
/** How long a look may be put off before checking whether a caller wants it sooner. */
const SLICE_MS = 500
/** Older records are read again before a move is requested. */
const FRESH_MS = 2_000

/** Each compute host writes its records by its own clock: this margin also reads records of a slow clock. */
const CLOCKS_APART_MS = minutes(5)

const CARRIED_OUT: ReadonlySet<string> = new Set(['preparing', 'running', 'post-migrating'])

/** Watches a host while a caller waits for its next look; otherwise reads nothing. */
export function createHostWatch(host: string, ctx: MaintenanceContext): HostWatch {
  const { clock, signal } = ctx
  const cloud = cloudOf(ctx)
  const records = new Map<string, Migration>()
  let instances: ReadonlyMap<string, Instance> = new Map()
  let [listed, begun] = [0, 0]
  let begunAtMs = Number.NEGATIVE_INFINITY
  let recordsAtMs = Number.NEGATIVE_INFINITY
  let isListTurn = true
  let everyMs = Number.POSITIVE_INFINITY
  let upcoming: Promise<Result<HostPicture>> | null = null
  let reading: Promise<Result<void>> | null = null
  let groups: ReturnType<CloudReads['serverGroups']> | null = null

  const reads: CloudReads = {
    ...cloud,
    // Server groups were read when the instances were chosen; they need no read every second.
    serverGroups: async () => {
      groups ??= cloud.serverGroups(signal)
      const read = await groups
      if (!read.ok) groups = null
      return read
    },
  }
  const recordsOf = (id: string) =>
    [...records.values()].filter(({ instanceId }) => instanceId === id).sort((a, b) => b.id - a.id)

  const carriedOut = () =>
    [...records.values()].filter(
      ({ sourceHost, type, status }) => sourceHost === host && type === 'live-migration' && CARRIED_OUT.has(status),
    )

  const readRecords = async (since: string | null): Promise<Result<void>> => {
    const atMs = clock.monotonicMs()
    const read = await ctx.retryTransient(`migrations of ${host}`, () =>
      cloud.migrations(since === null ? { host } : { host, since }, signal),
    )
    if (!read.ok) return read
    for (const record of read.value) records.set(`${record.instanceId} ${record.id}`, record)
    recordsAtMs = Math.max(recordsAtMs, atMs)
    return ok(undefined)
  }
  const newestChange = (): string | null => {
    const changes = [...records.values()].flatMap(({ updatedAt }) =>
      updatedAt === null ? [] : [Date.parse(updatedAt)],
    )
    return changes.length === 0 ? null : new Date(Math.max(...changes) - CLOCKS_APART_MS).toISOString()
  }
  const readChanged = async (): Promise<Result<void>> => {
    reading ??= readRecords(newestChange()).finally(() => {
      reading = null
    })
    return reading
  }
  const readInstances = async (number: number): Promise<Result<void>> => {
    const read = await ctx.retryTransient(`instances on ${host}`, () => cloud.instancesOnHost(host, signal, reads))
    if (!read.ok) return read
    if (number > listed) {
      instances = new Map(read.value.items.map(instance => [instance.id, instance]))
      listed = number
    }
    return ok(undefined)
  }
  const lookWhenDue = async (): Promise<Result<HostPicture>> => {
    await Promise.resolve()
    for (;;) {
      const leftMs = begunAtMs + Math.max(LOOKS_APART_MS, everyMs) - clock.monotonicMs()
      if (leftMs <= 0) break
      await clock.sleep(Math.min(leftMs, SLICE_MS), signal)
      if (signal.aborted) break
    }
    upcoming = null
    everyMs = Number.POSITIVE_INFINITY
    if (signal.aborted) return failed(refusal('aborted', fault('StoppedBeforeLook', { host })))
    begun += 1
    begunAtMs = clock.monotonicMs()
    const isList = isListTurn
    isListTurn = !isListTurn
    const read = await (isList ? readInstances(begun) : readChanged())
    return read.ok ? ok({ instances, listed, recordsOf, carriedOut }) : read
  }
  return {
    host,
    begun: () => begun,
    open: () => readRecords(null),
    next: wishMs => {
      everyMs = Math.min(everyMs, wishMs)
      upcoming ??= lookWhenDue()
      return upcoming
    },
    recordsOf: async id => {
      const read = clock.monotonicMs() - recordsAtMs <= FRESH_MS ? ok(undefined) : await readChanged()
      return read.ok ? ok(recordsOf(id)) : read
    },
  }
}
