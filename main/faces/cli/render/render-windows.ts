import type { ListedWindow } from '../../../../shared/contract/index.ts'
import { assertNever } from '../../../../shared/domain/must.ts'
import type { NodeWorkGate } from '../../../../shared/domain/update.ts'
import type { WindowPlan, WindowStatus } from '../../../../shared/domain/window.ts'
import { nodesOfPlan } from '../../../../shared/domain/window-draft.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { zonedText, zonedWall } from '../../../../shared/grammar/times.ts'
import { agreedStartWords } from '../../../../shared/words/agreed-starts.ts'
import { seenGateWords } from '../../../../shared/words/updates.ts'
import { shortIds } from '../find-run.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'
import { renderRuns } from './render-runs.ts'

/** Windows as a table; times are in the time zone of each window. */
export function renderWindows(windows: readonly ListedWindow[], look: Look): readonly string[] {
  if (windows.length === 0) return ['No maintenance windows yet.']
  const short = shortIds(windows.map(({ window }) => window.id))
  return renderTable(
    ['WINDOW', 'CLOUD', 'STATE', 'STARTS', 'ENDS', 'ZONE', 'PLAN', 'RUNS', 'TICKET', 'TITLE'],
    windows.map(({ window, status, runs }) => [
      short.get(window.id) ?? window.id,
      window.cluster,
      { text: status, paint: paintOf(status, look) },
      zonedWall(window.startsAt, window.timeZone),
      zonedWall(window.endsAt, window.timeZone),
      window.timeZone,
      planWords(window.plan),
      String(runs.length),
      window.ticket === '' ? '-' : window.ticket,
      window.title,
    ]),
    look,
  )
}

export function renderWindow({ window, status, runs }: ListedWindow, look: Look): readonly string[] {
  const { plan, timeZone } = window
  const line = (name: string, text: string) => (text === '' ? [] : hang(name.padEnd(10), text, look.columns))
  return [
    look.palette.strong(`Window ${window.id}: ${window.title}`),
    ...line('Cloud', window.cluster),
    ...line('State', status),
    ...line('Starts', `${zonedText(window.startsAt, timeZone)} ${timeZone}`),
    ...line('Ends', `${zonedText(window.endsAt, timeZone)} ${timeZone}`),
    ...line('Start', agreedStartWords(window) ?? ''),
    ...line('Ticket', window.ticket),
    ...line('Operator', `${window.operator}@${window.machine}`),
    ...line('Plan', planWords(plan)),
    ...planLines(plan).flatMap(text => hang('  ', text, look.columns)),
    ...line('Notes', window.notes),
    ...(window.closed === null ? [] : line('Closed', `by ${window.closed.by}: ${window.closed.summary}`)),
    ...(window.cancelled === null ? [] : line('Cancelled', `by ${window.cancelled.by}: ${window.cancelled.why}`)),
    ...window.remarks.flatMap(({ at, kind, text, by }) =>
      hang('  ', `${zonedText(at, timeZone)} ${kind} by ${by}: ${text}`, look.columns).map(
        kind === 'incident' ? look.palette.warn : same => same,
      ),
    ),
    ...(runs.length === 0 ? [] : ['', ...renderRuns(runs, look)]),
  ]
}

function planWords(plan: WindowPlan): string {
  switch (plan.kind) {
    case 'open':
      return 'none: you start runs one by one'
    case 'batches':
      return `${counted(nodesOfPlan(plan).length, 'node')} in ${counted(plan.batches.length, 'batch', 'batches')}`
    case 'update':
      return `update of ${counted(nodesOfPlan(plan).length, 'node')}`
    default:
      return assertNever(plan, 'plan of a window')
  }
}

function planLines(plan: WindowPlan): readonly string[] {
  switch (plan.kind) {
    case 'open':
      return []
    case 'batches':
      return [
        ...plan.batches.map(({ nodes }, at) => `Batch ${at + 1}: ${nodes.join(', ')}`),
        `Scope ${plan.scope}; work on each node ${workWords(plan.work)}${plan.workMinutes === null ? '' : `, expected to take ${plan.workMinutes} min`}${plan.pauseBetweenBatches ? '; asks before each next batch' : ''}`,
      ]
    case 'update':
      return [
        ...(plan.update.controlNodes.length === 0 ? [] : [`Control plane: ${plan.update.controlNodes.join(', ')}`]),
        ...plan.update.groups
          .toSorted((a, b) => a.index - b.index)
          .map(
            ({ name, nodes, concurrentUpdates }) =>
              `Group ${name}, ${concurrentUpdates} at a time: ${nodes.join(', ')}`,
          ),
        `Scope ${plan.update.scope}; work on each node ${workWords(plan.update.work)}`,
      ]
    default:
      return assertNever(plan, 'plan of a window')
  }
}

function workWords(work: NodeWorkGate): string {
  return work.kind === 'job' ? `by a Job in namespace ${work.namespace}` : seenGateWords(work)
}

function paintOf(status: WindowStatus, { palette }: Look): Paint {
  switch (status) {
    case 'open':
      return palette.good
    case 'overrunning':
      return palette.bad
    case 'over':
    case 'cancelled':
      return palette.warn
    case 'planned':
    case 'closed':
      return text => text
  }
}
