import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { ListedWindow, RunSummary } from '../../../shared/contract/index.ts'
import type { WindowForecast } from '../../../shared/domain/estimate.ts'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { VERDICT_WORDS } from '../../../shared/words/windows.ts'
import { skipNode } from '../../bridge/updates.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { isFinished } from '../../stores/runs.ts'
import { showToast } from '../../stores/toasts.ts'
import { lastRead } from '../../stores/updates.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { WhenMinute } from '../../ui/when.tsx'
import { useForecast } from '../../ui/windows/use-forecast.ts'
import { VERDICT_TONES } from '../../ui/windows/window-banner.tsx'

/** Where the work of an open window is heading, what to leave out, and links to the runs. */
export function ForecastCard({ listed }: { readonly listed: ListedWindow }): ReactNode {
  const { window, runs } = listed
  const asked = useForecast(window.id, window.cluster)
  const [isLeaving, setLeaving] = useState(false)
  const forecast = lastRead(asked)
  const working = runs.filter(run => !isFinished(run))
  const update = working.find(run => !isNodeRun(run.kind)) ?? null
  if (working.length === 0 && forecast?.eta === null) return null
  return (
    <section
      className="win-forecast card row"
      aria-label="Where the work is heading"
      data-verdict={forecast?.verdict ?? 'not-known'}
      role="status"
    >
      <div className="grow">
        {forecast === null ? (
          <p>{asked.kind === 'failed' ? asked.failure.message : 'Reading where the work is heading.'}</p>
        ) : (
          <Words forecast={forecast} />
        )}
        {working.map(run => (
          <p key={run.id}>
            <a href={hashOf(placeOfRun(run))}>{isNodeRun(run.kind) ? `Run on ${run.node}` : 'Timeline of the run'}</a>{' '}
            <span className="quiet">{run.summary}</span>
          </p>
        ))}
      </div>
      {forecast === null || forecast.leaveOut.length === 0 || update === null ? null : (
        <>
          <Button
            intent="warning"
            text={`Leave out ${counted(forecast.leaveOut.length, 'node')}…`}
            onClick={() => setLeaving(true)}
          />
          <LeaveOutDialog
            runId={update.id}
            cluster={window.cluster}
            nodes={forecast.leaveOut}
            isOpen={isLeaving}
            onClose={() => setLeaving(false)}
          />
        </>
      )}
    </section>
  )
}

function Words({ forecast }: { readonly forecast: WindowForecast }): ReactNode {
  const { eta, verdict, words, endsAt, leaveOut } = forecast
  return (
    <>
      <p>
        <b className={VERDICT_TONES[verdict]}>
          {eta === null ? 'No expected end yet' : `The work ${VERDICT_WORDS[verdict]}`}
        </b>
        {eta === null || Date.parse(eta.highAt) - Date.parse(eta.lowAt) < 60_000 ? null : (
          <>
            : <WhenMinute at={eta.lowAt} /> to <WhenMinute at={eta.highAt} />, the window ends at{' '}
            <WhenMinute at={endsAt} />
          </>
        )}
        .
      </p>
      <p>{words}</p>
      {eta === null ? null : <p className="quiet">{eta.basis}</p>}
      {leaveOut.length === 0 ? null : <p>To leave out: {leaveOut.join(', ')}.</p>}
    </>
  )
}

/** An update opens on its timeline. */
function placeOfRun(run: RunSummary) {
  return clusterRoute(run.cluster, isNodeRun(run.kind) ? 'history' : 'update', { runId: run.id })
}

interface Props {
  readonly runId: string
  readonly cluster: string
  readonly nodes: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks before it skips nodes that have not started, so that the work ends within the window. */
function LeaveOutDialog({ runId, cluster, nodes, isOpen, onClose }: Props): ReactNode {
  const [reason, setReason] = useState('to end within the window')
  const what = `Leave out ${counted(nodes.length, 'node')} of ${cluster}`
  const leaveOut = async (why: string) => {
    for (const node of nodes) {
      const answer = await skipNode(runId, node, why)
      if (!answer.ok) return answer
    }
    showToast({ text: `Requested: leave out ${listed(nodes)} of ${cluster}.` })
    return { ok: true, value: null } as const
  }
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      title={what}
      reason={reason}
      onReason={setReason}
      confirm={what}
      isReady
      failureTitle="Not all nodes were left out"
      act={leaveOut}
    >
      <p>
        <b>{listed(nodes)}</b> {nodes.length === 1 ? 'has' : 'have'} not started. Lockkeeper skips{' '}
        {nodes.length === 1 ? 'it' : 'them'} and continues with the others.
      </p>
    </ReasonDialog>
  )
}
