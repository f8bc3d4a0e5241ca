import { exitOfRun } from '../../main/faces/cli/exit-code.ts'
import { renderEnd } from '../../main/faces/cli/render/render-end.ts'
import { runAsJson } from '../../main/faces/cli/render/run-as-json.ts'
import type { JournalExtract } from '../../main/ports/journal.ts'
import { buildReport } from '../../main/reports/build-report.ts'
import { summarizeRun } from '../../main/runs/engine/run-summary.ts'
import { conditionNow, toneOf } from '../../renderer/ui/runs/live-runs.ts'
import { instancesOfRun } from '../../renderer/ui/runs/run-instances.ts'
import { RunDetail } from '../../shared/contract/index.ts'
import { must } from '../../shared/domain/must.ts'
import { isNodePlan } from '../../shared/domain/plan.ts'
import { namesOf } from '../../shared/domain/plan-effects.ts'
import { downAtLast } from '../../shared/domain/ran-before.ts'
import { Report, type ReportInstance } from '../../shared/domain/report.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'
import type { RunCondition } from '../../shared/domain/run-condition.ts'
import type { RunEnding } from '../../shared/domain/run-ending.ts'
import { NODE_VERDICT } from '../../shared/domain/run-facts.ts'
import { RunFigures } from '../../shared/domain/run-figures.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import { talliesOf } from '../../shared/domain/run-progress.ts'
import { waitedOf } from '../../shared/domain/run-waited.ts'
import { stepTally } from '../../shared/domain/step-tally.ts'
import { mayPowerOff } from '../../shared/words/run-ending.ts'
import { pipeLook } from '../fixtures/cli/looks.ts'

/** What a run is by each face, at a moment of its journal. */
interface Reported {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  /** What the screen shows it as. */
  readonly condition: RunCondition
  readonly json: ReturnType<typeof jsonOf>
  /** What the terminal prints at its end. */
  readonly text: string
  readonly exit: number
  readonly report: Report
}

/** Called when faces differ about the same matter. */
type Same = (matter: string, byFace: Readonly<Record<string, unknown>>) => void

/** Compares what the faces show about a run at its end and at earlier times. */
export function facesDiffer(events: readonly RunEvent[], extract: JournalExtract, moments: number): readonly string[] {
  const hasEnded = foldRun(events).state.kind === 'finished'
  const before = Array.from({ length: moments }, (_, index) => {
    const part = events.slice(0, Math.ceil((events.length * (index + 1)) / (moments + 1)))
    const known = new Set(part.map(({ seq }) => seq))
    const entries = extract.entries.filter(({ sourceSeq }) => known.has(sourceSeq))
    const differ = disagreements(part, { ...extract, entries }, false)
    return differ.map(each => `after ${part.length} of ${events.length} events: ${each}`)
  })
  return [...disagreements(events, extract, !hasEnded), ...before.flat()]
}

/** In what screen, terminal, report and exit code differ about a run, each as a sentence; none: they agree. */
function disagreements(events: readonly RunEvent[], extract: JournalExtract, nobodyDrives: boolean): readonly string[] {
  const found: string[] = []
  const same: Same = (matter, byFace) => {
    const said = Object.entries(byFace).map(([face, value]) => [face, JSON.stringify(value)] as const)
    if (new Set(said.map(([, text]) => text)).size > 1)
      found.push(`${matter}: ${said.map(([face, text]) => `${face} ${text}`).join(', ')}`)
  }
  const reported = reportedBy(events, extract, nobodyDrives)
  sameEnding(reported, same)
  sameCounts(reported, same)
  sameNames(reported, same)
  sameWaits(reported, same)
  return found
}

/** As the contract hands a run to the screen and to the terminal, and as a report is made of the journal's entries. */
function reportedBy(events: readonly RunEvent[], extract: JournalExtract, nobodyDrives: boolean): Reported {
  const detail = { summary: summarizeRun(foldRun(events), nobodyDrives), events }
  const { summary, events: got } = RunDetail.parse(JSON.parse(JSON.stringify(detail)))
  const view = foldRun(got)
  return {
    view,
    events: got,
    condition: conditionNow(view, summary),
    json: jsonOf(runAsJson(summary, view, got)),
    text: renderEnd(summary, view, pipeLook).join('\n'),
    exit: exitOfRun(summary.state),
    report: reportOf(got, extract, nobodyDrives),
  }
}

function sameEnding({ view, condition, json, text, exit, report }: Reported, same: Same): void {
  const ending = condition.kind === 'over' ? condition.ending : null
  const jsonEnding = json.condition.kind === 'over' ? json.condition.ending : null
  const [run] = report.runs
  same('ending', { screen: ending, json: jsonEnding, report: run?.ending ?? null })
  same('state', { json: json.state, report: run?.state })
  same('exit code', { ending: exitOf(ending), terminal: exit })
  same('green', { screen: toneOf(condition) === 'verified', terminal: text.startsWith('✓'), code: isClean(ending) })
  same('report', {
    summary: outcomesOf(exit, view).includes(report.summary.outcome) || report.summary.outcome,
    exit: true,
  })
  if (ending === null || !('verdict' in ending)) return
  const looked = view.steps.flatMap(({ facts }) => facts).findLast(({ fact }) => fact === NODE_VERDICT)
  if (looked !== undefined) same('verdict', { journal: looked.values.kind, ending: ending.verdict.kind })
}

/** The exit code of an ending, by the table in docs/terminal.md. */
function exitOf(ending: RunEnding | null): number {
  switch (ending?.kind) {
    case 'NodeEmpty':
    case 'InService':
    case 'Finished':
      return 0
    case 'NodeNotEmpty': {
      const { verdict } = ending
      // Pods that Kubernetes lists on a machine that is forced down are left to it.
      if (verdict.kind === 'NotEmpty' && verdict.forcedDown)
        return verdict.instances.length + verdict.unread.length === 0 ? 0 : 5
      const agreed = ['StopsWithNode', 'StaysByScope']
      const isAgreed =
        verdict.kind === 'NotEmpty' &&
        verdict.pods.length + verdict.unread.length === 0 &&
        verdict.instances.every(({ code }) => agreed.includes(code))
      return isAgreed ? 0 : 5
    }
    case 'HeldBack':
      return 5
    case 'Stopped':
      return ending.outcome === 'failed' ? 1 : 4
    case 'Untouched':
      return 3
    default:
      return 4
  }
}

/** Whether an end may be shown in green. */
function isClean(ending: RunEnding | null): boolean {
  return (
    ending !== null &&
    (ending.kind !== 'NodeNotEmpty' || mayPowerOff(ending)) &&
    exitOf(ending) === 0 &&
    ending.accepted.length === 0
  )
}

/** What a report may call a run whose exit code is this. */
function outcomesOf(exit: number, { state, steps }: RunView): readonly Report['summary']['outcome'][] {
  if (state.kind !== 'finished') return ['under-way', 'interrupted']
  if (exit === 0) return steps.some(({ attempts }) => attempts > 0) ? ['done', 'partly'] : ['nothing', 'done']
  if (exit === 5) return ['partly', 'failed']
  return [state.outcome === 'done' ? 'partly' : state.outcome]
}

function sameCounts({ view, events, json, text, report }: Reported, same: Same): void {
  const { moves, pods } = talliesOf(view)
  const rows = (...of: readonly ReportInstance['outcome'][]) =>
    report.instances.filter(({ outcome }) => of.includes(outcome)).length
  const { figures } = report.summary
  const counted = must(report.runs[0]?.figures, 'a report of this version has them')
  same('moved', {
    screen: moves?.moved ?? 0,
    json: json.figures.instances.moved,
    terminal: numberBefore(text, 'instances? moved'),
    report: counted.instances.moved,
    rows: rows('moved'),
    summary: figures.instancesMoved,
    // A run that brings instances back is not a stage of a node.
    nodes: report.nodes.length === 0 ? rows('moved') : report.nodes.reduce((sum, node) => sum + node.instancesMoved, 0),
  })
  same('stopped', {
    screen: moves?.stopped ?? 0,
    json: json.figures.instances.stopped,
    report: counted.instances.stopped,
    rows: rows('stopped'),
    summary: figures.instancesStopped,
  })
  same('left', { screen: moves?.left ?? 0, json: json.figures.instances.left, rows: rows('left-here') })
  same('settled', { screen: moves?.settled ?? 0, json: json.figures.instances.settled, rows: rows('settled') })
  same('pods', {
    screen: pods?.done ?? 0,
    json: json.figures.podsLeft,
    terminal: numberBefore(text, 'pods? gone'),
    report: counted.podsLeft,
    rows: report.pods.filter(({ outcome }) => outcome === 'left').length,
  })
  const { verified, notVerified, onlyDone } = stepTally(view.steps)
  const steps = { verified, notVerified, onlyDone, skipped: passedIn(events) }
  same('steps', { screen: steps, json: json.figures.steps, report: counted.steps })
  same('steps of a report', { screen: { verified, notVerified, onlyDone }, summary: figures.steps })
}

/** How many steps were passed last by an operator, as the events say. */
function passedIn(events: readonly RunEvent[]): number {
  const last = new Map<string, boolean>()
  for (const { body } of events) {
    if (body.kind === 'step-skipped') last.set(body.stepId, body.by === 'operator')
    if (body.kind === 'step-started') last.set(body.stepId, false)
  }
  return [...last.values()].filter(isPassed => isPassed).length
}

function sameNames({ view, condition, text, report }: Reported, same: Same): void {
  // The report and the end of the run name the same instances that are still on the node.
  const ending = condition.kind === 'over' && 'verdict' in condition.ending ? condition.ending : null
  const left = ending?.verdict.kind === 'NotEmpty' ? ending.verdict.instances : []
  const isNamed = (in_: string) => left.filter(({ name }) => in_.includes(name)).length
  const lines = report.summary.lines.join('\n')
  if (left.length > 0)
    same('who is still here', { ending: left.length, terminal: isNamed(text), report: isNamed(lines) })
  const down = downAtLast(
    view.steps.flatMap(({ facts }) => facts),
    view.steps.map(({ step }) => step.input),
  )
  const names = [...namesOf(down).values()]
  same('who is down', { screen: down.length, terminal: names.filter(name => text.includes(name)).length })
  if (!isNodePlan(view.plan)) return
  const instances = instancesOfRun(view, condition, null)
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).toSorted()
  const shown = (state: string) => ids(instances.filter(instance => instance.state === state))
  const rows = (...of: readonly string[]) => ids(report.instances.filter(({ outcome }) => of.includes(outcome)))
  same('who moved', { screen: shown('moved'), report: rows('moved') })
  // The screen shows as still here whom somebody left, and whom the last look found there.
  const here = left.flatMap(({ id, code }) => (code === 'StopsWithNode' || code === 'WaitsForOwner' ? [] : [id]))
  same('who is left', { screen: shown('left'), report: [...new Set([...rows('left-here'), ...here])].toSorted() })
  same('who was stopped', { screen: shown('stopped'), report: rows('stopped') })
  for (const { id, to } of instances.filter(({ to: host }) => host !== null))
    same(`where ${id} went`, { screen: to, report: wordsOf(report, id).includes(` ${to}`) ? to : wordsOf(report, id) })
}

function wordsOf(report: Report, id: string): string {
  return report.instances.find(row => row.id === id)?.words ?? 'nothing'
}

function sameWaits({ view, events, condition, json, report }: Reported, same: Same): void {
  const waited = [...waitedOf(view, events).whom].map(([whom, { ms, since }]) => ({ for: whom, ms, since }))
  same('waited', { screen: waited, json: json.figures.waited, report: report.runs[0]?.figures?.waited })
  if (condition.kind !== 'moving' && condition.kind !== 'waiting') return
  const whom = (waits: readonly { readonly for: string; readonly moves: boolean }[]) => {
    const all = [...new Set(waits.filter(({ moves }) => !moves).map(wait => wait.for))].toSorted()
    // A step behind a question is shown with it, and waits for the answer.
    return all.includes('answer') ? ['answer'] : all
  }
  const open = waited.flatMap(({ for: of, since }) => (since === null ? [] : [{ for: of, moves: false }]))
  same('waits for', {
    screen: whom(condition.waits),
    json: json.condition.kind === condition.kind ? whom(json.condition.waits) : json.condition.kind,
    spans: whom(open),
  })
}

/** What `-o json` prints of a run, as far as it is compared. */
function jsonOf(value: Readonly<Record<string, unknown>>) {
  const { state, condition, figures } = JSON.parse(JSON.stringify(value))
  return {
    state,
    condition: RunDetail.shape.summary.shape.condition.parse(condition),
    figures: RunFigures.parse(figures),
  }
}

/** The number before words in a text; 0: it does not have them. */
function numberBefore(text: string, words: string): number {
  return Number(new RegExp(`(\\d+) ${words}`).exec(text)?.[1] ?? 0)
}

function reportOf(events: readonly RunEvent[], extract: JournalExtract, nobodyDrives: boolean): Report {
  const id = events[0]?.runId ?? ''
  const report = buildReport({
    subject: { kind: 'run', id },
    extract,
    madeAt: events.at(-1)?.at ?? '',
    madeBy: { operator: 'op', machine: 'a', version: '0' },
    flavour: 'plain',
    interruptedRunIds: nobodyDrives ? [id] : [],
  })
  return Report.parse(must(report, 'the entries hold it'))
}
