import type { Report } from '../../shared/domain/report.ts'
import { CLOCKS_WORDS, clockOff, NO_CLOCKS } from '../../shared/words/report-outcomes.ts'
import { code, name, text, time } from './cells.ts'
import { partsOf, type Section, tableOf, words } from './sections.ts'

/** Maintenance requests that runs made and removed, and what controllers said by their locks. */
export function locksSection({ locks, requests, cluster }: Report): Section {
  return {
    id: 'locks',
    title: 'Locks and requests',
    amount: locks.length + requests.length,
    parts: partsOf(
      tableOf<Report['requests'][number]>({
        title: 'Maintenance requests',
        caption: 'Maintenance requests',
        columns: [
          { name: 'name', title: 'Maintenance request', isKey: true, cell: request => text(request.name) },
          { name: 'node', title: 'Node', cell: request => name(request.node, 'the cloud') },
          { name: 'scope', title: 'Scope', cell: request => text(request.scope) },
          { name: 'created', title: 'Created', cell: request => time(request.createdAt, 'was there before') },
          { name: 'removed', title: 'Removed', cell: request => time(request.removedAt, 'not removed') },
        ],
        groups: [{ of: requests }],
      }),
      tableOf<Report['locks'][number]>({
        title: 'Locks',
        caption: 'What locks said',
        columns: [
          { name: 'at', title: 'When', cell: lock => time(lock.at) },
          { name: 'node', title: 'Node', isKey: true, cell: lock => name(lock.node, 'the cloud') },
          { name: 'controller', title: 'Controller', cell: lock => text(lock.controller) },
          { name: 'state', title: 'State', cell: lock => text(lock.state) },
          { name: 'message', title: 'Message', cell: lock => text(lock.message) },
        ],
        groups: [{ of: locks }],
      }),
    ),
    nothing: `No run waited for a lock or made a maintenance request${cluster.flavour === 'mosk' ? '.' : ': this cloud has no node maintenance API.'}`,
  }
}

/** Flags of Ceph that runs set and removed. */
export function cephSection({ cephFlags }: Report): Section {
  return {
    id: 'ceph',
    title: 'Ceph',
    amount: cephFlags.length,
    parts: partsOf(
      tableOf<Report['cephFlags'][number]>({
        caption: 'Changes to Ceph',
        columns: [
          { name: 'at', title: 'When', cell: flag => time(flag.at) },
          { name: 'what', title: 'What', isKey: true, cell: flag => text(flag.what) },
          { name: 'before', title: 'Before', cell: flag => text(flag.from) },
          { name: 'after', title: 'After', after: 'before', cell: flag => text(flag.to) },
        ],
        groups: [{ of: cephFlags }],
      }),
    ),
    nothing: 'No run changed a flag of Ceph.',
  }
}

/** Which versions ran there. */
export function versionsSection({ versions }: Report): Section {
  return {
    id: 'versions',
    title: 'Versions',
    amount: null,
    parts: partsOf(
      tableOf<Report['versions'][number]>({
        caption: 'Versions',
        columns: [
          { name: 'name', title: 'What', isKey: true, cell: version => text(version.name) },
          { name: 'version', title: 'Version', cell: version => text(version.value) },
        ],
        groups: [{ of: versions }],
      }),
    ),
    nothing: 'The journal has no versions.',
  }
}

/** Whose clock the times are by, and how far those of the servers were off; null: a report of an earlier version, which does not say. */
export function clocksSection({ clocks }: Report): Section | null {
  if (clocks === undefined) return null
  const measured = clocks.flatMap(({ runId, server, measured: all }) => all.map(one => ({ ...one, runId, server })))
  return {
    id: 'clocks',
    title: 'Clocks',
    amount: null,
    parts: partsOf(
      words(measured.length === 0 ? NO_CLOCKS : CLOCKS_WORDS),
      tableOf<(typeof measured)[number]>({
        caption: 'Clocks of the servers',
        columns: [
          { name: 'run', title: 'Run', cell: clock => text(clock.runId) },
          { name: 'server', title: 'Server', isKey: true, cell: clock => text(clock.server) },
          { name: 'at', title: 'Measured', cell: clock => time(clock.at) },
          {
            name: 'ahead_ms',
            title: "Against the console's",
            cell: clock => code(String(clock.aheadMs), clockOff(clock.aheadMs)),
          },
        ],
        groups: [{ of: measured }],
      }),
    ),
    nothing: NO_CLOCKS,
  }
}
