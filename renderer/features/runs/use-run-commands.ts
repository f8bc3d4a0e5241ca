import { useMemo } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { pauseRun, resumeRun, unpauseRun } from '../../bridge/runs.ts'
import { useCommands } from '../../stores/commands.ts'
import { useRuns } from '../../stores/runs.ts'
import { showToast } from '../../stores/toasts.ts'
import { runBeside } from '../../ui/runs/run-filter.ts'

/** Offers what can be done with runs from the keyboard: up and down the list, pause, go on, resume. */
export function useRunCommands(
  runs: readonly RunSummary[],
  chosen: string | null,
  read: (runId: string) => void,
): void {
  const commands = useMemo(() => {
    const move = (by: number) => () => {
      const beside = runBeside(runs, chosen, by)
      if (beside !== null) read(beside.id)
    }
    const stateNow = () => useRuns.getState().list?.find(({ id }) => id === chosen)?.state ?? null
    const ask = (request: typeof pauseRun | typeof resumeRun, words: string) => async () => {
      if (chosen === null) return
      const answer = await request(chosen)
      showToast(answer.ok ? { text: words } : { text: answer.failure.message, tone: 'caution' })
    }
    return [
      { id: 'runs.next', title: 'Next run', group: 'Runs', keys: 'j', run: move(1) },
      { id: 'runs.previous', title: 'Previous run', group: 'Runs', keys: 'k', run: move(-1) },
      {
        id: 'runs.pause',
        title: 'Pause this run',
        group: 'Runs',
        keys: 'p',
        run: () => void ask(pauseRun, 'Pause requested.')(),
        available: () => stateNow() === 'running',
      },
      {
        id: 'runs.go-on',
        title: 'Let this paused run go on',
        group: 'Runs',
        keys: 'c',
        run: () => void ask(unpauseRun, 'Going on requested.')(),
        available: () => stateNow() === 'paused',
      },
      {
        id: 'runs.resume',
        title: 'Resume this interrupted run',
        group: 'Runs',
        keys: null,
        run: () => void ask(resumeRun, 'Resume requested.')(),
        available: () => stateNow() === 'interrupted',
      },
    ]
  }, [runs, chosen, read])
  useCommands(commands)
}
