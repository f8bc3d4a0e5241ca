import type { Contract, EventPayload, RunSummary } from '../../../shared/contract/index.ts'
import { planPlace } from '../../../shared/domain/plan.ts'
import type { RunListState } from '../../../shared/domain/run-list-state.ts'
import { visibleText } from '../../../shared/domain/visible-text.ts'
import { endingTitle } from '../../../shared/words/run-ending.ts'

/** A desktop notification about a run; `onClick` shows the run. */
export interface RunNotice {
  readonly title: string
  readonly body: string
  readonly onClick: () => void
}

/** Notifies when a run of this console waits, is done or failed, unless the preferences turn this off. A stopped run needs none: the operator stopped it. */
export function notifyOfRuns(
  contract: Contract,
  show: (notice: RunNotice) => void,
  onChosen: (run: RunSummary) => void,
): () => void {
  const report = async (runId: string, state: RunListState) => {
    const ending = ENDINGS[state]
    if (ending === undefined) return
    const preferences = await contract.ask('preferences.show', {})
    if (!preferences.ok || !preferences.value.notifications) return
    const shown = await contract.ask('run.show', { runId })
    if (!shown.ok) return
    const run = shown.value.summary
    const over = run.condition.kind === 'over' ? endingTitle(run.condition.ending, planPlace(run)) : null
    show({
      title: visibleText(over ?? `${planPlace(run)} ${ending}`),
      body: visibleText(run.summary),
      onClick: () => onChosen(run),
    })
  }
  return contract.listen('run.rested', ({ runId, state }) => void report(runId, state))
}

/** Notifies when a window did not start automatically. */
export function notifyOfWindows(
  contract: Contract,
  show: (notice: RunNotice) => void,
  onChosen: (windowId: string) => void,
): () => void {
  const report = async ({ id, cluster, title, why }: EventPayload<'window.start-missed'>) => {
    const preferences = await contract.ask('preferences.show', {})
    if (!preferences.ok || !preferences.value.notifications) return
    show({
      title: visibleText(`${title} of ${cluster} did not start`),
      body: visibleText(why),
      onClick: () => onChosen(id),
    })
  }
  return contract.listen('window.start-missed', missed => void report(missed))
}

const ENDINGS: Readonly<Partial<Record<RunListState, string>>> = {
  waiting: 'needs you',
  done: 'is done',
  failed: 'failed',
  'checks-failed': 'did not start: its checks failed',
}
