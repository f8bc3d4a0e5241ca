import type { ListedLock, ListedRequest } from '../../../../shared/contract/index.ts'
import { dateAndTime } from '../../../../shared/grammar/times.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { renderTable } from '../words/table.ts'

export function renderLocks(locks: readonly ListedLock[], look: Look): readonly string[] {
  if (locks.length === 0) return ['There are no workload locks.']
  return renderTable(
    ['OF', 'CONTROLLER', 'STATE', 'MADE', 'BY', 'SAYS'],
    locks
      .toSorted(byPlace)
      .map(lock => [
        { text: lock.of === 'cluster' ? 'the cloud' : (lock.node ?? '-'), paint: look.palette.strong },
        lock.controller || `(${lock.name})`,
        { text: lock.state, paint: paintOf(lock, look) },
        dateAndTime(lock.createdAt, look.clock),
        makerOf(lock),
        [lock.says, ...(lock.deletingSince === null ? [] : ['The lock is Terminating.']), ...lock.faults].join(' '),
      ]),
    look,
  )
}

export function renderRequests(requests: readonly ListedRequest[], look: Look): readonly string[] {
  if (requests.length === 0) return ['There are no maintenance requests.']
  return renderTable(
    ['FOR', 'KIND', 'NAME', 'SCOPE', 'STATE', 'MADE', 'BY', 'WAITS FOR'],
    requests
      .toSorted(byPlace)
      .map(request => [
        { text: request.node ?? 'the cloud', paint: look.palette.strong },
        KINDS[request.kind],
        request.name,
        [request.scope ?? '-', ...(request.release === null ? [] : [request.release])].join(' '),
        stateOf(request, look),
        dateAndTime(request.createdAt, look.clock),
        [makerOf(request), ...(request.reason === null ? [] : [`(${request.reason})`])].join(' '),
        [...request.waitsFor, ...request.faults].join('; ') || '-',
      ]),
    look,
  )
}

const KINDS: Readonly<Record<ListedRequest['kind'], string>> = {
  ClusterMaintenanceRequest: 'maintenance',
  NodeMaintenanceRequest: 'maintenance',
  NodeDeletionRequest: 'deletion',
  NodeDisableNotification: 'disabled on purpose',
}

/** Without "by", which the column title has already. */
function makerOf({ madeBy }: { readonly madeBy: string }): string {
  return madeBy.replace(/^by /, '')
}

function stateOf({ kind, deletingSince, waitsFor }: ListedRequest, { palette, clock }: Look) {
  if (deletingSince !== null) {
    return { text: `Terminating since ${dateAndTime(deletingSince, clock)}`, paint: palette.warn }
  }
  if (kind === 'NodeDisableNotification') return 'noted'
  return waitsFor.length === 0 ? { text: 'granted', paint: palette.good } : { text: 'asked', paint: palette.warn }
}

function byPlace(
  a: { readonly node: string | null; readonly name: string },
  b: { readonly node: string | null; readonly name: string },
): number {
  const byName = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true })
  return byName(a.node ?? '', b.node ?? '') || byName(a.name, b.name)
}

function paintOf({ status }: ListedLock, { palette }: Look): Paint {
  switch (status) {
    case 'released':
      return palette.good
    case 'trouble':
    case 'unknown':
      return palette.bad
    case 'blocked':
    case 'preparing':
    case 'asked':
    case 'returning':
      return palette.warn
    case 'idle':
      return text => text
  }
}
