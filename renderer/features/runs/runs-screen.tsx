import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useCallback, useDeferredValue, useMemo } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { listRuns, pauseRun, resumeRun, unpauseRun } from '../../bridge/runs.ts'
import { useCommands } from '../../stores/commands.ts'
import { isJournalOnlyRead, useJournal } from '../../stores/journal.ts'
import { type RunFilter, useLooks } from '../../stores/looks.ts'
import { clusterRoute, goTo, useRoute } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { placeKey } from '../../ui/place-keys.ts'
import { listedRuns, runBeside } from '../../ui/runs/run-filter.ts'
import { AskedOfRunners } from './asked-runs.tsx'
import { RunPage } from './run-page.tsx'
import { RunsPage } from './runs-page.tsx'
import '../../ui/runs/runs.css'

interface Props {
  readonly cluster: string
}

/** The runs of one cloud: the list, or the page of the one that is open. */
export function RunsScreen({ cluster }: Props): ReactNode {
  const list = useRuns(store => store.list)
  const failure = useRuns(store => store.listFailure)
  const isOnlyRead = useJournal(isJournalOnlyRead)
  const chosen = useRoute(({ place }) => (place.kind === 'cluster' ? place.runId : null))
  const filter = useLooks(store => store.runs)
  const sought = useDeferredValue(filter)
  const runs = useMemo(() => listedRuns(list ?? [], cluster, null, sought), [list, cluster, sought])
  const has = useMemo(() => (list ?? []).some(run => run.cluster === cluster), [list, cluster])

  const read = useCallback((runId: string) => goTo(clusterRoute(cluster, 'history', { runId })), [cluster])
  useRunCommands(runs, chosen, read)

  if (list === null) {
    return failure === null ? (
      <NonIdealState icon={<Spinner size={24} />} title="Reading the runs" />
    ) : (
      <div className="run-nothing">
        <FailureCallout title="The runs cannot be read" failure={failure} onRetry={() => void listRuns()} />
      </div>
    )
  }
  if (!has && chosen === null && isOnlyRead) {
    return (
      <NonIdealState
        title={`The journal has no run on ${cluster} now`}
        description="There may have been runs: the note above says what is wrong with the journal. Nothing can start before that is repaired."
      />
    )
  }
  if (!has && chosen === null) {
    return (
      <div className="run-none column">
        <AskedOfRunners cluster={cluster} />
        <NonIdealState
          title={`No run on ${cluster} yet`}
          description="Drag a node to “Take out” on the map, or choose “Take out of service” in its menu. You see the plan first; nothing starts before you confirm."
          action={<a href={`#/c/${encodeURIComponent(cluster)}/topology`}>Go to the map</a>}
        />
      </div>
    )
  }
  if (chosen !== null) return <RunPage key={chosen} runId={chosen} />
  return <RunsPage cluster={cluster} runs={runs} filter={filter} onFilter={lookAtRuns} />
}

function lookAtRuns(runs: RunFilter): void {
  useLooks.setState({ runs })
}

/** Keys for runs: up and down the list, pause, resume. */
function useRunCommands(runs: readonly RunSummary[], chosen: string | null, read: (runId: string) => void): void {
  const commands = useMemo(() => {
    const move = (by: number) => () => {
      const beside = runBeside(runs, chosen, by)
      if (beside !== null) read(beside.id)
    }
    const stateNow = () => useRuns.getState().list?.find(({ id }) => id === chosen)?.state ?? null
    const sendRequest = (request: typeof pauseRun | typeof resumeRun, words: string) => async () => {
      if (chosen === null) return
      const answer = await request(chosen)
      showToast(answer.ok ? { text: words } : { text: answer.failure.message, tone: 'caution' })
    }
    return [
      { ...placeKey('runs.next'), run: move(1) },
      { ...placeKey('runs.previous'), run: move(-1) },
      {
        ...placeKey('runs.pause'),
        run: () => void sendRequest(pauseRun, 'Pause requested.')(),
        available: () => stateNow() === 'running',
      },
      {
        ...placeKey('runs.go-on'),
        run: () => void sendRequest(unpauseRun, 'Resume requested.')(),
        available: () => stateNow() === 'paused',
      },
      {
        id: 'runs.resume',
        title: 'Resume this interrupted run',
        group: 'Runs',
        keys: null,
        run: () => void sendRequest(resumeRun, 'Resume requested.')(),
        available: () => stateNow() === 'interrupted',
      },
    ]
  }, [runs, chosen, read])
  useCommands(commands)
}
