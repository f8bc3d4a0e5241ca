import type { ReactNode } from 'react'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { endingOf } from '../../../shared/domain/run-ending.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { acceptedLine, endingTone } from '../../../shared/words/run-ending.ts'
import { ExportReport } from '../reports/export-report.tsx'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly timeline: UpdateTimeline
}

/** How a run ended: what was verified at the end, what stays changed, and its report. */
export function UpdateSeal({ view, events, timeline }: Props): ReactNode {
  if (view.state.kind !== 'finished') return null
  const { outcome, summary, leftBehind } = view.state
  const ending = endingOf(view, view.state)
  const isDone = outcome === 'done'
  // Green only if every node is back and nothing was accepted as an exception.
  const isWhole = endingTone(ending) === 'good' && timeline.lanes.every(({ stage }) => stage === 'done')
  return (
    <section className="upd-seal row" data-outcome={isWhole ? 'done' : 'other'} aria-label="How it ended">
      <svg aria-hidden="true" width={36} height={36} viewBox="0 0 36 36">
        <circle cx={18} cy={18} r={16.5} />
        {isWhole ? <path d="M10.5 18.5l5.2 5.6L25.5 12.5" /> : <path d="M18 10v10M18 25.5v.5" />}
      </svg>
      <div className="grow">
        <h2>{isDone ? verifiedWords(timeline, finalChecks(events), isWhole) : summary}</h2>
        {isDone ? <p className="quiet">{summary}</p> : null}
        {ending.accepted.map(acceptedLine).map(line => (
          <p key={line} className="caution">
            {line}
          </p>
        ))}
        {leftBehind.length === 0 ? null : (
          <details>
            <summary>Still changed ({leftBehind.length})</summary>
            <ul>
              {leftBehind.map(line => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <ExportReport subject={{ kind: 'run', id: view.id }} />
    </section>
  )
}

/** `Verified: 15 of 15 nodes are back in service; 31 checks passed at the end.` */
function verifiedWords({ lanes }: Pick<UpdateTimeline, 'lanes'>, checks: number, isWhole: boolean): string {
  const done = lanes.filter(({ stage }) => stage === 'done').length
  const nodes =
    lanes.length === 0 ? '' : `${done} of ${counted(lanes.length, 'node')} ${done === 1 ? 'is' : 'are'} back in service`
  const held = checks === 0 ? '' : `${counted(checks, 'check')} passed at the end`
  const so = !isWhole && nodes !== '' ? '' : checks === 0 ? 'Done: ' : 'Verified: '
  return [`${so}${nodes}`, held].filter(part => part !== '').join('; ')
}

/** How many steps were verified again at the end, each once. */
function finalChecks(events: readonly RunEvent[]): number {
  const held = new Set<string>()
  for (const { body } of events) {
    if (body.kind !== 'step-verified' || body.round !== 'final') continue
    if (body.answer.kind === 'holds') held.add(body.stepId)
    else held.delete(body.stepId)
  }
  return held.size
}
