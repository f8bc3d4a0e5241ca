import type { Report } from '../../shared/domain/report.ts'
import { CLOCKS_WORDS, clockOff } from '../../shared/words/report-outcomes.ts'
import { code, name, text, time } from './cells.ts'
import { col, KEY, partsOf, type Section, tableOf, tableSection } from './sections.ts'

/** Maintenance requests that runs made and removed, and what controllers said by their locks. */
export function locksSection({ locks, requests }: Report): Section {
  return {
    id: 'locks',
    title: 'Locks and requests',
    amount: locks.length + requests.length,
    parts: partsOf(
      tableOf<Report['requests'][number]>({
        title: 'Maintenance requests',
        caption: 'Maintenance requests',
        columns: [
          col('name', 'Maintenance request', request => text(request.name), KEY),
          col('node', 'Node', ({ node }) => name(node, 'the cloud')),
          col('scope', 'Scope', ({ scope }) => text(scope)),
          col('created', 'Created', ({ createdAt }) => time(createdAt, 'was there before')),
          col('removed', 'Removed', ({ removedAt }) => time(removedAt, 'not removed')),
        ],
        groups: [{ of: requests }],
      }),
      tableOf<Report['locks'][number]>({
        title: 'Locks',
        caption: 'What locks said',
        columns: [
          col('at', 'When', ({ at }) => time(at)),
          col('node', 'Node', ({ node }) => name(node, 'the cloud'), KEY),
          col('controller', 'Controller', ({ controller }) => text(controller)),
          col('state', 'State', ({ state }) => text(state)),
          col('message', 'Message', ({ message }) => text(message)),
        ],
        groups: [{ of: locks }],
      }),
    ),
  }
}

export function cephSection({ cephFlags }: Report): Section {
  return tableSection<Report['cephFlags'][number]>({
    id: 'ceph',
    title: 'Ceph',
    columns: [
      col('at', 'When', ({ at }) => time(at)),
      col('what', 'What', ({ what }) => text(what), KEY),
      col('before', 'Before', ({ from }) => text(from)),
      col('after', 'After', ({ to }) => text(to), { after: 'before' }),
    ],
    of: cephFlags,
  })
}

export function versionsSection({ versions }: Report): Section {
  return tableSection<Report['versions'][number]>({
    id: 'versions',
    title: 'Versions',
    amount: null,
    columns: [
      col('name', 'What', version => text(version.name), KEY),
      col('version', 'Version', ({ value }) => text(value)),
    ],
    of: versions,
  })
}

/** How far the servers' clocks differed from the console's; null means an earlier version's report without them. */
export function clocksSection({ clocks }: Report): Section | null {
  if (clocks === undefined) return null
  const measured = clocks.flatMap(({ runId, server, measured: all }) => all.map(one => ({ ...one, runId, server })))
  return tableSection<(typeof measured)[number]>({
    id: 'clocks',
    title: 'Clocks',
    amount: null,
    intro: measured.length === 0 ? '' : CLOCKS_WORDS,
    columns: [
      col('run', 'Run', ({ runId }) => text(runId)),
      col('server', 'Server', ({ server }) => text(server), KEY),
      col('at', 'Measured', ({ at }) => time(at)),
      col('ahead_ms', "Against the console's", ({ aheadMs }) => code(String(aheadMs), clockOff(aheadMs))),
    ],
    of: measured,
  })
}
