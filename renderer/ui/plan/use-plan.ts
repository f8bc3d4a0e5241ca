import { useCallback, useEffect, useRef, useState } from 'react'
import type { PlanChoices, PlanForecast } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { type CheckedPlan, takesOut } from '../../../shared/domain/plan.ts'
import { effectsOf } from '../../../shared/domain/plan-effects.ts'
import { makePlan, readForecast, receiveWatches } from '../../bridge/plans.ts'
import type { PlanWish } from '../../stores/plan-dialog.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { moves } from './plan-order.ts'
import { type World, worldOf } from './world-of-plan.ts'

export interface MadePlan {
  readonly checked: CheckedPlan
  /** When the answer came, by this page's clock; a server's clock may differ. */
  readonly madeAtMs: number
  /** The live facts that it depends on; null if there were none. */
  readonly world: World | null
}

/** Whether a plan is there; while a new one is made, the last one stays readable. */
export type PlanState =
  | { readonly kind: 'making'; readonly sinceMs: number; readonly last: MadePlan | null }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly last: MadePlan | null }
  | { readonly kind: 'made'; readonly made: MadePlan }

/** Where instances may go: read after the plan, because it takes longer. */
export type ForecastState =
  | { readonly kind: 'reading' }
  /** Plans of many nodes: when the last one starts, destinations have changed. */
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'read'; readonly forecast: PlanForecast }
  | { readonly kind: 'failed'; readonly failure: Failure }

interface PlanInHand {
  readonly state: PlanState
  /** What the checks watch before they answer, such as the Lease of a console that seems gone. */
  readonly watches: readonly string[]
  readonly forecast: ForecastState
  readonly choices: PlanChoices
  /** Changes the choices and makes a new plan. */
  readonly choose: (change: PlanChoices) => void
  readonly checkAgain: () => void
}

/** What is ticked at first: a node that comes back is expected with its instances. */
const USUAL_CHOICES: Readonly<Partial<Record<PlanWish['kind'], PlanChoices>>> = {
  leave: { home: true },
  maintain: { home: true },
}

/** The plan of one node, made again with every choice and wish; a late answer is dropped. */
export function usePlan(cluster: string, node: string, wish: PlanWish): PlanInHand {
  const [choices, setChoices] = useState<PlanChoices>(wish.kind === 'undo' ? {} : (wish.choices ?? {}))
  const [state, setState] = useState<PlanState>({ kind: 'making', sinceMs: Date.now(), last: null })
  const [forecast, setForecast] = useState<ForecastState>({ kind: 'reading' })
  const [watches, setWatches] = useState<readonly string[]>([])
  const asked = useRef(0)

  const make = useCallback(
    async (wanted: PlanChoices) => {
      asked.current += 1
      const own = asked.current
      setState(before => ({ kind: 'making', sinceMs: Date.now(), last: lastMade(before) }))
      // The last forecast stays readable, as the last plan does.
      setForecast(before => (before.kind === 'read' ? before : { kind: 'reading' }))
      const world = worldOf(lastOf(useViews.getState().byCluster.get(cluster)), node)
      setWatches([])
      // Every page receives the words of all checks, so repeated words are dropped.
      const stop = receiveWatches(cluster, node, words =>
        setWatches(said => (said.includes(words) ? said : [...said, words])),
      )
      const answer = await makePlan(cluster, node, wish, { ...USUAL_CHOICES[wish.kind], ...wanted }).finally(stop)
      if (own !== asked.current) return
      if (!answer.ok) {
        setState(before => ({ kind: 'failed', failure: answer.failure, last: lastMade(before) }))
        return
      }
      setState({ kind: 'made', made: { checked: answer.value, madeAtMs: Date.now(), world } })
      const read = await readForecast(answer.value.plan.id, returningIn(answer.value))
      if (own !== asked.current) return
      setForecast(read.ok ? { kind: 'read', forecast: read.value } : { kind: 'failed', failure: read.failure })
    },
    [cluster, node, wish],
  )

  useEffect(() => {
    void make(choices)
    return () => {
      asked.current += 1
    }
  }, [make, choices])

  const usual = USUAL_CHOICES[wish.kind]
  const choose = useCallback((change: PlanChoices) => setChoices(before => ({ ...before, ...change })), [])
  const checkAgain = useCallback(() => setChoices(before => ({ ...before })), [])
  return { state, watches, forecast, choices: { ...usual, ...choices }, choose, checkAgain }
}

/** The instances that come back to the node; empty for a plan that takes it out. */
function returningIn(checked: CheckedPlan): readonly string[] {
  if (takesOut(checked.plan.kind)) return []
  return effectsOf(checked).instances.flatMap(effect => (moves(effect) ? [effect.id] : []))
}

/** The shown plan: the current one, or the last while another is made. */
export function lastMade(state: PlanState): MadePlan | null {
  return state.kind === 'made' ? state.made : state.last
}
