import type { Coded } from './coded.ts'
import type { EndUnknown } from './estimate-findings.ts'
import type { RunWait } from './run-wait.ts'

type Nothing = Readonly<Record<string, never>>

/** `underWay` false: the end if it started now. `help`: the effect of leaving out nodes that have not started. */
type TooLate = { readonly underWay: boolean; readonly help: 'in-time' | 'too-little' | 'every-node-begun' }

export type ForecastFindings = {
  readonly NothingUnderWay: Nothing
  readonly WorkOver: { readonly endedAt: string }
  readonly EndNotKnown: { readonly because: EndUnknown }
  readonly WorkGoesOnPastEnd: { readonly because: EndUnknown }
  readonly EndsInTime: { readonly underWay: boolean }
  readonly MayOverrun: TooLate
  readonly Overruns: TooLate
}

/** What else an operator must know about running work; `node` null: a run over many nodes. */
export type ForecastNotes = {
  readonly RunInterrupted: { readonly node: string | null }
  readonly RunWaits: { readonly node: string | null; readonly wait: RunWait | null }
  readonly RunPaused: { readonly node: string | null }
  readonly WorkNotCounted: { readonly nodes: readonly string[] }
}

export type ForecastFinding = Coded<ForecastFindings>
export type ForecastNote = Coded<ForecastNotes>
