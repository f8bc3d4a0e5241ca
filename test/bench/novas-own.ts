import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { must } from '../../shared/domain/must.ts'
import type { Migration } from '../../shared/domain/openstack.ts'

/** Nova's records have whole seconds, its logs thousandths. A line of the log belongs to a record at most this far from it. */
const NEAR_MS = 2_500

/** A move request that Nova's API accepted, and the end of a live migration that a compute service logs, with the server's id. */
const ASKED = /^(\S+ \S+) .*"POST \/v2\.1\/servers\/([0-9a-f-]{36})\/action\b.*status: 202 .*time: ([\d.]+)/
const ENDED = /^(\S+ \S+) .*\[instance: ([0-9a-f-]{36})\] Migrating instance to \S+ finished successfully/

/** When moves of instances were requested and had ended, from Nova's logs in a directory; ms since 1970, by server id. */
interface MoveTimes {
  readonly asked: ReadonlyMap<string, readonly number[]>
  readonly ended: ReadonlyMap<string, readonly number[]>
}

/** Reads when moves started and ended from the logs of Nova's API and its compute services. */
export function moveTimes(directory: string): MoveTimes {
  const lines = readdirSync(directory)
    .filter(name => /^nova-(?:api|compute-\d+)\.log$/.test(name))
    .flatMap(name => readFileSync(join(directory, name), 'utf8').split('\n'))
  // The lab's servers log in UTC.
  const timesOf = (found: RegExp) =>
    lines.flatMap(line => {
      const [, at, id, tookS] = found.exec(line) ?? []
      if (at === undefined || id === undefined) return []
      return [{ id, ms: Date.parse(`${at.replace(' ', 'T')}Z`) - Number(tookS ?? 0) * 1000 }]
    })
  const byServer = (found: RegExp) =>
    new Map([...Map.groupBy(timesOf(found), ({ id }) => id)].map(([id, all]) => [id, all.map(({ ms }) => ms)]))
  return { asked: byServer(ASKED), ended: byServer(ENDED) }
}

/**
 * How long Nova's migrations alone take, in ms, from the request to the end that its compute service logs, at this concurrency: each starts as soon as
 * one before it has ended. Eight of equal length, three at a time, take three rounds.
 */
export function novasOwnMs(records: readonly Migration[], concurrency: number, { asked, ended }: MoveTimes): number {
  const freeAt = Array.from({ length: concurrency }, () => 0)
  const exact = (times: ReadonlyMap<string, readonly number[]>, instanceId: string, recordedMs: number) =>
    must(
      (times.get(instanceId) ?? []).toSorted((a, b) => Math.abs(a - recordedMs) - Math.abs(b - recordedMs))[0],
      `Nova's logs have the move of ${instanceId}`,
    )
  for (const { createdAt, updatedAt, instanceId } of records.toSorted((one, other) => one.id - other.id)) {
    const createdMs = Date.parse(must(createdAt, 'a migration has a start'))
    const updatedMs = Date.parse(must(updatedAt, 'a finished migration has an end'))
    const beganMs = exact(asked, instanceId, createdMs)
    const endedMs = exact(ended, instanceId, updatedMs)
    if (Math.abs(beganMs - createdMs) > NEAR_MS || Math.abs(endedMs - updatedMs) > NEAR_MS)
      throw new Error(`Nova's logs do not tell when ${instanceId} moved: its record is of ${createdAt} to ${updatedAt}`)
    freeAt.sort((one, other) => one - other)
    freeAt[0] = (freeAt[0] ?? 0) + (endedMs - beganMs)
  }
  return Math.max(...freeAt)
}
