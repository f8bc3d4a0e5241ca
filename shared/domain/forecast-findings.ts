import type { Coded } from './coded.ts'
import type { EndUnknown } from './estimate-findings.ts'
import type { RunWait } from './run-wait.ts'

type Nothing = Readonly<Record<string, never>>

/** An end that is past the window's. `underWay` false: if it began now. `help`: what leaving out nodes that are not begun does. */
type TooLate = { readonly underWay: boolean; readonly help: 'in-time' | 'too-little' | 'every-node-begun' }

/** Where the work of a window is heading, by code. */
export type ForecastFindings = {
  readonly NothingUnderWay: Nothing
  readonly WorkOver: { readonly endedAt: string }
  readonly EndNotKnown: { readonly because: EndUnknown }
  /** The window ended, and the work goes on. */
  readonly WorkGoesOnPastEnd: { readonly because: EndUnknown }
  readonly EndsInTime: { readonly underWay: boolean }
  readonly MayOverrun: TooLate
  readonly Overruns: TooLate
}

/** What an operator has to know besides of work that is under way, by code; `node` null: a run over many nodes. */
export type ForecastNotes = {
  readonly RunInterrupted: { readonly node: string | null }
  /** `wait` null: for an answer. */
  readonly RunWaits: { readonly node: string | null; readonly wait: RunWait | null }
  readonly RunPaused: { readonly node: string | null }
  /** How long the work on these takes is not in the forecast. */
  readonly WorkNotCounted: { readonly nodes: readonly string[] }
}

export type ForecastFinding = Coded<ForecastFindings>
export type ForecastNote = Coded<ForecastNotes>
