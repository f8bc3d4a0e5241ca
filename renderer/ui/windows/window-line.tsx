import { type ReactNode, useEffect } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import type { WindowJudgement } from '../../../shared/domain/window-judgement.ts'
import {
  headingLine,
  judgementLine,
  type WindowLine as Line,
  pastLine,
} from '../../../shared/words/window-judgements.ts'
import { planWords } from '../../../shared/words/windows.ts'
import { judgeWindow } from '../../bridge/windows.ts'
import { isFinished } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { type Asked, lastRead } from '../../stores/updates.ts'
import { statusAt } from '../../stores/windows.ts'
import { useAnswer } from './use-answer.ts'
import { useForecast } from './use-forecast.ts'

/** The cloud changes: an older judgement is made again. */
const AGAIN_MS = 300_000

/** What a window will do and whether it fits, or what it did if it has ended. */
export function WindowLine({ listed }: { readonly listed: ListedWindow }): ReactNode {
  const { window, runs } = listed
  const status = useTicks(store => statusAt(listed, store.nowMs))
  if (status === 'closed' || status === 'cancelled') return <LineText {...pastLine(window, runs)} />
  if (runs.some(run => !isFinished(run))) return <HeadingLine id={window.id} cluster={window.cluster} />
  if (status === 'over') return <LineText tone="caution" words="Ended, not closed" />
  if (window.plan.kind === 'open') return <LineText tone="quiet" words={planWords(window.plan)} />
  return <JudgedLine window={window} />
}

function HeadingLine({ id, cluster }: { readonly id: string; readonly cluster: string }): ReactNode {
  const forecast = lastRead(useForecast(id, cluster))
  return forecast === null ? <LineText tone="quiet" words="Checking…" /> : <LineText {...headingLine(forecast)} />
}

function JudgedLine({ window }: { readonly window: MaintenanceWindow }): ReactNode {
  const judgement = useJudgement(window)
  const minute = useTicks(store => Math.floor(store.nowMs / 60_000) * 60_000)
  if (judgement.kind === 'failed')
    return <LineText tone="caution" words="The cloud does not answer, so it was not checked" />
  if (judgement.kind === 'reading') return <LineText tone="quiet" words="Checking…" />
  return <LineText {...judgementLine(judgement.value, window, minute)} />
}

/** The judgement of a saved window: made again when its plan changes, and while the window is shown. */
function useJudgement({ cluster, plan }: MaintenanceWindow): Asked<WindowJudgement> {
  const key = `${cluster} ${JSON.stringify(plan)}`
  const { asked, again } = useAnswer(key, () => judgeWindow(cluster, plan), 0)
  useEffect(() => {
    const timer = globalThis.setInterval(again, AGAIN_MS)
    return () => globalThis.clearInterval(timer)
  }, [again])
  return asked
}

export function LineText({ tone, words }: Line): ReactNode {
  return <span className={`win-line ${tone}`}>{words}</span>
}
