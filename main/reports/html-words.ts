import type {
  Report,
  ReportInstance,
  ReportNode,
  ReportOutcome,
  ReportPod,
  ReportRun,
} from '../../shared/domain/report.ts'
import { durationWords } from '../../shared/grammar/durations.ts'
import { ACTION_WORDS } from '../../shared/words/actions.ts'
import { type EndingTone, endingTone, endingWord } from '../../shared/words/run-ending.ts'

/** How it went, as the badge on the first page says it. */
export const OUTCOME_WORDS: Readonly<Record<ReportOutcome, string>> = {
  done: 'Done',
  partly: 'Partly done',
  failed: 'Failed',
  aborted: 'Stopped',
  'checks-failed': 'Checks failed, nothing was touched',
  'handed-over': 'Handed over',
  'under-way': 'Under way',
  interrupted: 'Interrupted',
  nothing: 'Nothing was begun',
}

/** The colour of the badge on the first page: of one run that is done, that of its end, so that what was accepted never looks like a clean end. */
export function outcomeTone({ subject, summary, runs }: Pick<Report, 'subject' | 'summary' | 'runs'>): Tone {
  const ending = subject.kind === 'run' && summary.outcome === 'done' ? runs.at(-1)?.ending : undefined
  return ending === undefined ? OUTCOME_TONES[summary.outcome] : ENDING_TONES[endingTone(ending)]
}

/** Which of the colours an outcome has; its word stands beside it always. */
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

/** How far a node came. */
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

/** Where a run stands, as every face says it; reports of earlier versions do not tell how it ended. */
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

/** What was to happen to an instance; another version's word stands as it is. */
export function actionWords(action: string): string {
  return ACTIONS.get(action) ?? action
}

/** A length of time, or that it is not known. */
export function lengthWords(ms: number | null, otherwise = 'not known'): string {
  return ms === null ? otherwise : durationWords(ms)
}
