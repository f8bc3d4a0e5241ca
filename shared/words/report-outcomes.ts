import type { Report, ReportInstance, ReportNode, ReportOutcome, ReportPod, ReportRun } from '../domain/report.ts'
import { durationWords } from '../grammar/durations.ts'
import { ACTION_WORDS } from './actions.ts'
import { apartWords } from './clocks.ts'
import { type EndingTone, endingTone, endingWord } from './run-ending.ts'

/** How the work went: the badge on the first page. */
export const OUTCOME_WORDS: Readonly<Record<ReportOutcome, string>> = {
  done: 'Done',
  partly: 'Partly done',
  failed: 'Failed',
  aborted: 'Stopped',
  'checks-failed': 'Checks failed, nothing was touched',
  'handed-over': 'Handed over',
  'under-way': 'Under way',
  interrupted: 'Interrupted',
  nothing: 'Nothing began',
}

/** The colour of that badge. A run that is done has the colour of its end: an end that a person accepted is not green. */
export function outcomeTone({ subject, summary, runs }: Pick<Report, 'subject' | 'summary' | 'runs'>): Tone {
  const ending = subject.kind === 'run' && summary.outcome === 'done' ? runs.at(-1)?.ending : undefined
  return ending === undefined ? OUTCOME_TONES[summary.outcome] : ENDING_TONES[endingTone(ending)]
}

const OUTCOME_TONES: Readonly<Record<ReportOutcome, Tone>> = {
  done: 'good',
  partly: 'caution',
  failed: 'alarm',
  aborted: 'caution',
  'checks-failed': 'caution',
  'handed-over': 'water',
  'under-way': 'water',
  interrupted: 'alarm',
  nothing: 'quiet',
}

/** The colours of words in a report. */
export type Tone = 'good' | 'caution' | 'alarm' | 'water' | 'quiet'

/** How far the work on a node came. */
export const NODE_WORDS: Readonly<Record<ReportNode['outcome'], readonly [string, Tone]>> = {
  back: ['back in service', 'good'],
  'held-back': ['back, but takes no work', 'caution'],
  'maybe-held-back': ['back, maybe takes no work', 'caution'],
  'in-maintenance': ['in maintenance', 'caution'],
  'not-empty': ['out of service, not empty', 'alarm'],
  'maybe-not-empty': ['out of service, maybe not empty', 'alarm'],
  failed: ['failed half-way', 'alarm'],
  aborted: ['stopped half-way', 'caution'],
  interrupted: ['interrupted', 'alarm'],
  'handed-over': ['handed over half-way', 'water'],
  'not-begun': ['not begun', 'quiet'],
  'under-way': ['under way', 'water'],
}

/** What became of an instance. */
export const INSTANCE_WORDS: Readonly<Record<ReportInstance['outcome'], readonly [string, Tone]>> = {
  moved: ['moved', 'good'],
  stopped: ['stopped', 'caution'],
  stayed: ['stayed', 'quiet'],
  failed: ['failed', 'alarm'],
  'left-to-owner': ['left to owner', 'caution'],
  'left-here': ['still here', 'caution'],
  'not-reached': ['not reached', 'caution'],
  settled: ['needed no move', 'quiet'],
}

/** What became of a pod. */
export const POD_WORDS: Readonly<Record<ReportPod['outcome'], readonly [string, Tone]>> = {
  left: ['left', 'good'],
  failed: ['failed', 'alarm'],
  asked: ['asked to leave, not seen gone', 'caution'],
  'under-way': ['under way', 'water'],
}

/** What a run is, in the words of every face. Reports of earlier versions do not have its ending. */
export function runBadge({ outcome, stands, state, ending }: ReportRun): readonly [string, Tone] {
  if (ending !== undefined) return [endingWord(ending), ENDING_TONES[endingTone(ending)]]
  return [stands ?? outcome ?? state, outcome === null ? 'water' : OUTCOME_TONES[outcome]]
}

const ENDING_TONES: Readonly<Record<EndingTone, Tone>> = {
  good: 'good',
  attention: 'caution',
  bad: 'alarm',
  rest: 'quiet',
}

const ACTIONS: ReadonlyMap<string, string> = new Map(Object.entries(ACTION_WORDS))

/** What the plan says of an instance; a word of another version stays as it is. */
export function actionWords(action: string): string {
  return ACTIONS.get(action) ?? action
}

/** What a reader has to know of the times in a report. */
export const CLOCKS_WORDS =
  'Times are those of the console that carried out the run. A time that a server reported is off by as much as its clock was. Each clock is listed at the start of the run, and again after it went off by 5 s or more.'

/** How far a server's clock was from the console's clock. */
export function clockOff(aheadMs: number): string {
  return Math.abs(aheadMs) < 1_000 ? 'the same, within 1 s' : apartWords(aheadMs)
}

/** The version that wrote the words of a report. */
export function wordedBy(version: string): string {
  return `Written by Lockkeeper ${version}. Another version may write the same entries in other words; then only ${version} can rebuild the report to verify it.`
}

/** How late the work of a window ended. */
export function overranWords({ window, runs }: Pick<Report, 'window' | 'runs'>): string {
  const by = durationWords(window?.overranMs ?? 0)
  return runs.some(({ outcome }) => outcome === null) ? `${by} late, not finished` : `${by} late`
}
