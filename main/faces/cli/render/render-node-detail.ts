import type { NodeDetail } from '../../../../shared/domain/node-detail.ts'
import { dateAndTime } from '../../../../shared/grammar/times.ts'
import type { Look } from '../words/look.ts'
import { type Cell, renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'
import { fateText } from './action-words.ts'

/** The pods, services and events of a node; each part may fail separately. */
export function renderNodeDetail({ pods, services, events }: NodeDetail, look: Look): readonly string[] {
  return [
    ...part('Pods', ['POD', 'PHASE', 'WHAT HAPPENS', 'WHY'], pods, look, pod => [
      `${pod.namespace}/${pod.name}`,
      pod.phase,
      fateText(pod.fate),
      [pod.reason, ...pod.warnings].join(' '),
    ]),
    '',
    ...part('Services', ['SERVICE', 'HOST', 'STATUS', 'NOTE'], services, look, service => [
      service.binary,
      service.host,
      `${service.enabled ? 'enabled' : 'disabled'}/${service.up ? 'up' : 'down'}`,
      service.disabledReason ?? '-',
    ]),
    '',
    ...part('Events', ['AT', 'TYPE', 'REASON', 'MESSAGE'], events, look, event => [
      dateAndTime(event.at, look.clock),
      event.type,
      event.count > 1 ? `${event.reason} (${event.count} times)` : event.reason,
      event.message,
    ]),
  ]
}

type Read<T> =
  | { readonly ok: true; readonly value: readonly T[] }
  | { readonly ok: false; readonly failure: { readonly message: string } }

function part<T>(
  title: string,
  headings: readonly string[],
  read: Read<T>,
  look: Look,
  row: (item: T) => readonly Cell[],
): readonly string[] {
  const head = look.palette.strong(title)
  if (!read.ok) return [head, ...hang('  Not read: ', read.failure.message, look.columns).map(look.palette.warn)]
  return [head, ...(read.value.length === 0 ? ['  None.'] : renderTable(headings, read.value.map(row), look, '  '))]
}
