import type { ReactNode } from 'react'
import type { StageSpan } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { withInstanceNames } from '../../../shared/words/instance-names.ts'
import { useInstanceName } from '../use-instance-name.ts'
import { When } from '../when.tsx'

interface Props {
  readonly cluster: string
  readonly span: StageSpan
  readonly nowMs: number
  /** At most this many lines of each kind; the rest is counted. */
  readonly most: number
}

/** One stage of one node: when, what it waited for, its retries, and what was read. */
export function SpanFacts({ cluster, span, nowMs, most }: Props): ReactNode {
  const nameOf = useInstanceName(cluster)
  const named = (line: string) => withInstanceNames(line, nameOf)
  const length = (from: string, to: string | null) =>
    durationWords((to === null ? nowMs : Date.parse(to)) - Date.parse(from))
  return (
    <>
      <p className="tl-when">
        <When at={span.fromAt} short />
        {span.toAt === null ? null : (
          <>
            {' '}
            to <When at={span.toAt} short />
          </>
        )}
        , {length(span.fromAt, span.toAt)}
        {span.toAt === null ? ' so far' : ''}
      </p>
      {span.note === '' ? null : <p>{named(span.note)}</p>}
      <Lines
        title="Waited for"
        most={most}
        lines={span.waits.map(
          wait => `${named(wait.what)} (${length(wait.fromAt, wait.toAt)}${wait.toAt === null ? ' so far' : ''})`,
        )}
      />
      <Lines title="Tried again" most={most} lines={span.retries.map(({ what }) => named(what))} />
      <Lines title="Evidence" most={most} lines={span.evidence.map(named)} />
    </>
  )
}

interface LinesProps {
  readonly title: string
  readonly lines: readonly string[]
  readonly most: number
}

function Lines({ title, lines, most }: LinesProps): ReactNode {
  if (lines.length === 0) return null
  const shown = lines.slice(-most)
  return (
    <div className="tl-lines">
      <b>{title}</b>
      {shown.length < lines.length ? (
        <span className="quiet">{counted(lines.length - shown.length, 'earlier one')} not shown</span>
      ) : null}
      <ul>
        {shown.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are sentences, which may be equal.
          <li key={at}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
