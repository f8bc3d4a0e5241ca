import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
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
import { lastRead } from '../../stores/updates.ts'
import { statusAt } from '../../stores/windows.ts'
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
  if (judgement === 'failed')
    return <LineText tone="caution" words="The cloud does not answer, so it was not checked" />
  if (judgement === null) return <LineText tone="quiet" words="Checking…" />
  return <LineText {...judgementLine(judgement, window, minute)} />
}

/** The judgement of a saved window, made again when its plan changes; null before the first answer. */
function useJudgement({ cluster, plan }: MaintenanceWindow): WindowJudgement | 'failed' | null {
  const [judgement, setJudgement] = useState<WindowJudgement | 'failed' | null>(null)
  const latest = useRef(plan)
  useLayoutEffect(() => {
    latest.current = plan
  })
  const key = JSON.stringify(plan)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plan is judged at once; an equal one is not another.
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const answer = await judgeWindow(cluster, latest.current)
      if (!isGone) setJudgement(answer.ok ? answer.value : 'failed')
    }
    void read()
    const timer = globalThis.setInterval(() => void read(), AGAIN_MS)
    return () => {
      isGone = true
      globalThis.clearInterval(timer)
    }
  }, [cluster, key])
  return judgement
}

export function LineText({ tone, words }: Line): ReactNode {
  return <span className={`win-line ${tone}`}>{words}</span>
}
