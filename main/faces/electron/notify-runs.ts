import type { Contract, EventPayload, RunSummary } from '../../../shared/contract/index.ts'
import { planPlace } from '../../../shared/domain/plan.ts'
import type { RunListState } from '../../../shared/domain/run-list-state.ts'
import { visibleText } from '../../../shared/domain/visible-text.ts'
import { endingTitle } from '../../../shared/words/run-ending.ts'

/** What the desktop shows of a run that needs a look; `onClick` brings the run to the front. */
export interface RunNotice {
  readonly title: string
  readonly body: string
  readonly onClick: () => void
}

/** Tells the operator by the desktop that a run of this console waits, is done or failed, unless the preferences say not to. Who aborted one knows. */
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

/** Tells by the desktop that a window did not start by itself. */
export function notifyOfWindows(
  contract: Contract,
  show: (notice: RunNotice) => void,
  onChosen: (windowId: string) => void,
): () => void {
  const report = async ({ id, cluster, title, why }: EventPayload<'window.start-missed'>) => {
    const preferences = await contract.ask('preferences.show', {})
    if (!preferences.ok || !preferences.value.notifications) return
    show({
      title: visibleText(`${title} of ${cluster} did not start by itself`),
      body: visibleText(why),
      onClick: () => onChosen(id),
    })
  }
  return contract.listen('window.start-missed', missed => void report(missed))
}

const ENDINGS: Readonly<Partial<Record<RunListState, string>>> = {
  waiting: 'waits for you',
  done: 'is done',
  failed: 'failed',
  'checks-failed': 'was not started: its checks failed',
}
