import { Button, Spinner } from '@blueprintjs/core'
import { RefreshIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords, estimateWords } from '../../../shared/grammar/durations.ts'
import { age } from '../../../shared/grammar/times.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import type { PlanStatus } from '../../ui/plan/plan-words.ts'
import type { UpdateDraft } from '../../ui/plan/update-draft.ts'
import { WhenMinute } from '../../ui/when.tsx'
import type { usePlanAhead } from './use-plan-ahead.ts'

interface Props {
  readonly cluster: string
  readonly chosen: readonly string[] | null
  readonly draft: Pick<UpdateDraft, 'release' | 'scope'>
  /** How many nodes are in the order. */
  readonly count: number
  readonly hasPhases: boolean
  readonly window: ListedWindow | null
  readonly times: ReturnType<typeof usePlanAhead>
  readonly status: PlanStatus
  /** When the shown plan was checked; null if there is none. */
  readonly madeAtMs: number | null
  readonly onCheck: () => void
}

/** What is planned in one sentence, and how long it takes. */
export function UpdatePlanHead(props: Props): ReactNode {
  const { cluster, chosen, draft, count, hasPhases, window, times } = props
  const release = draft.release.trim()
  return (
    <header className="upd-head row wrap">
      <div className="upd-title">
        <h1>
          <span>
            {hasPhases ? 'Update' : 'Maintain'} {chosen === null ? null : `${counted(chosen.length, 'node')} of `}
            <span className="mono">{cluster}</span>
            {hasPhases && release !== '' ? ` to ${release}` : null}
          </span>
          <Checked {...props} />
        </h1>
        <p className="upd-facts wrap quiet">{sentence(count, draft.scope, hasPhases)}</p>
      </div>
      <div className="upd-estimate">
        <Estimated times={times} window={window} />
      </div>
    </header>
  )
}

function sentence(count: number, scope: UpdateDraft['scope'], hasPhases: boolean): string {
  const nodes = counted(count, 'node')
  if (!hasPhases) return `${nodes}, one after another: out of service, your work, back.`
  return scope === 'os'
    ? `${nodes} in the order below: instances move off, the node updates and may reboot.`
    : `${nodes} in the order below: services restart, instances stay where they are.`
}

/** When the plan was checked, and the button to check it again. */
function Checked({ status, madeAtMs, onCheck }: Props): ReactNode {
  const checked = useTicks(({ nowMs }) => (madeAtMs === null ? null : age(new Date(madeAtMs).toISOString(), nowMs)))
  if (status === 'making') {
    return (
      <span className="upd-checked small quiet row" role="status">
        <Spinner size={14} /> Checking every node
      </span>
    )
  }
  return (
    <span className="upd-checked small quiet row">
      {checked === null ? null : `Checked ${checked}`}
      <Button size="small" variant="minimal" icon={<RefreshIcon />} aria-label="Check again" onClick={onCheck} />
    </span>
  )
}

/** Two ends closer than this count as one. */
const ONE_MOMENT_MS = 90_000
const MINUTE_MS = 60_000

function Estimated({ times: { ahead, nowMs, basis, failure }, window }: Pick<Props, 'times' | 'window'>): ReactNode {
  const { end, times } = ahead
  if (failure !== null) return <p>The estimate could not be read: {failure.message}</p>
  if (times.from === 'order') return <p title={basis}>No estimate: no node was measured here yet</p>
  const [low, high] = [new Date(end.lowMs).toISOString(), new Date(end.highMs).toISOString()]
  return (
    <>
      <b className="upd-figure">{estimateWords(end.lowMs - nowMs, end.lowMs - nowMs)}</b>
      <p title={basis}>
        {end.highMs - end.lowMs < ONE_MOMENT_MS ? (
          <>
            done about <WhenMinute at={high} />
          </>
        ) : (
          <>
            done <WhenMinute at={low} /> to <WhenMinute at={high} />
          </>
        )}
        {window === null ? null : <Against window={window} lowMs={end.lowMs} highMs={end.highMs} />}
      </p>
      {times.from === 'vendor' ? <p className="small">by the vendor's formula: not measured here yet</p> : null}
      {times.missing.length > 0 ? (
        <p className="small" title={times.missing.join(', ')}>
          {counted(times.missing.length, 'node')} not measured here yet
        </p>
      ) : null}
    </>
  )
}

interface AgainstProps {
  readonly window: ListedWindow
  readonly lowMs: number
  readonly highMs: number
}

/** Whether the open window lasts that long. */
function Against({ window: { window }, lowMs, highMs }: AgainstProps): ReactNode {
  const endMs = Date.parse(window.endsAt)
  const name = window.ticket === '' ? window.title : window.ticket
  const link = (
    <a href={hashOf({ kind: 'window', id: window.id })} title={window.title}>
      {name}
    </a>
  )
  if (highMs <= endMs) {
    return (
      <>
        , window {link} is open until <WhenMinute at={window.endsAt} />
      </>
    )
  }
  return (
    <>
      ,{' '}
      <b className="caution">
        {lowMs <= endMs ? 'may be ' : ''}
        {durationWords(Math.ceil((highMs - endMs) / MINUTE_MS) * MINUTE_MS)} late
      </b>{' '}
      for window {link}
    </>
  )
}
