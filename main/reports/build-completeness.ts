import type { Completeness } from '../../shared/domain/report.ts'
import { conditionOf } from '../../shared/domain/run-condition.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { momentWords } from '../../shared/grammar/times.ts'
import { conditionWord } from '../../shared/words/conditions.ts'
import { isOver, type Material } from './material.ts'

/** Whether what is reported is over; what is not says so before anything else. */
export function buildCompleteness({
  runs,
  window,
  subject,
  now: madeAt,
  timeZone,
}: Pick<Material, 'runs' | 'window' | 'subject' | 'now' | 'timeZone'>): Completeness {
  const now = momentWords(madeAt, timeZone)
  const open = runs.filter(run => !isOver(run))
  const conditionIn = ({ view, interrupted }: Material['runs'][number]) => conditionOf(view, interrupted)
  const driverless = open.filter(run => conditionIn(run).kind === 'interrupted')
  if (driverless.length > 0) {
    const names = driverless.map(({ view }) => view.id).join(', ')
    const goOn =
      open.length > driverless.length ? ` ${counted(open.length - driverless.length, 'other run')} still goes on.` : ''
    return {
      kind: 'interrupted',
      words: `Interrupted: nobody drives ${driverless.length === 1 ? 'run' : 'runs'} ${names}, and nobody knows how it ends. This report tells what happened until ${now}.${goOn}`,
    }
  }
  const waiting = open.map(conditionIn).find(({ kind }) => kind === 'waiting')
  if (open.length > 0) {
    return {
      kind: 'under-way',
      words: `Under way: ${counted(open.length, 'run')} ${open.length === 1 ? 'is' : 'are'} not over${waiting === undefined ? '' : `, and ${open.length === 1 ? 'it' : 'one'} ${conditionWord(waiting)}`}. This report tells what happened until ${now}; its figures will change.`,
    }
  }
  if (subject.kind === 'window' && window !== null && window.closed === null && window.cancelled === null) {
    const isPast = Date.parse(madeAt) >= Date.parse(window.endsAt)
    return {
      kind: 'under-way',
      words: isPast
        ? `Not closed: the window's time is over, but nobody closed it. More may be added after ${now}.`
        : `Under way: the window is not closed. This report tells what happened until ${now}; more may follow.`,
    }
  }
  return { kind: 'final' }
}
