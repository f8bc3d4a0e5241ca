import type { NodeVerdict } from '../../shared/domain/node-verdict.ts'
import type { Report } from '../../shared/domain/report.ts'
import type { Accepted, RunEnding } from '../../shared/domain/run-ending.ts'
import { nameReplacer, type Replace } from './replace-names.ts'
import { sealed } from './seal.ts'

const LEFT_OUT = '(left out)'

function leftOut(text: string): string {
  return text === '' ? '' : LEFT_OUT
}

/** The report without names and ids of instances and projects, texts of people and entries. Digests stay, so that the journal can verify it. */
export function redactReport(report: Report): Report {
  const replace = nameReplacer(report)
  const { seal: _seal, ...rest } = report
  return sealed({
    ...rest,
    redacted: true,
    title: replace.text(report.title),
    completeness:
      report.completeness.kind === 'final'
        ? report.completeness
        : { ...report.completeness, words: replace.text(report.completeness.words) },
    window: redactedWindow(report.window, replace),
    summary: {
      ...report.summary,
      headline: replace.text(report.summary.headline),
      lines: report.summary.lines.map(replace.text),
    },
    timeline: redactedTimeline(report.timeline, replace),
    runs: report.runs.map(run => ({
      ...run,
      ...(run.stands === undefined ? {} : { stands: replace.text(run.stands) }),
      ...(run.ending === undefined ? {} : { ending: redactedEnding(run.ending, replace) }),
      summary: replace.text(run.summary),
      leftBehind: run.leftBehind.map(replace.text),
      reason: leftOut(run.reason),
      outsideWindow: run.outsideWindow === null ? null : LEFT_OUT,
    })),
    nodes: report.nodes.map(node => ({
      ...node,
      waits: node.waits.map(wait => ({ ...wait, what: replace.text(wait.what) })),
    })),
    instances: report.instances.map(instance => ({
      ...instance,
      id: replace.id(instance.id),
      name: replace.id(instance.id),
      projectId: instance.projectId === null ? null : replace.project(instance.projectId),
      reason: replace.text(instance.reason),
      // A person wrote why it was left there.
      words: instance.outcome === 'left-here' ? LEFT_OUT : replace.text(instance.words),
      downtimeWords: instance.downtimeWords === null ? null : replace.text(instance.downtimeWords),
    })),
    pods: report.pods.map(pod => ({
      ...pod,
      refusals: pod.refusals.map(refusal => ({ ...refusal, words: replace.text(refusal.words) })),
      words: replace.text(pod.words),
    })),
    locks: report.locks.map(lock => ({ ...lock, message: replace.text(lock.message) })),
    checks: report.checks.map(check => ({
      ...check,
      title: replace.text(check.title),
      message: replace.text(check.message),
      remedy: replace.text(check.remedy),
      overridden: check.overridden === null ? null : { ...check.overridden, reason: LEFT_OUT },
    })),
    incidents: report.incidents.map(incident => ({
      ...incident,
      subject: replace.text(incident.subject),
      words: BY_PEOPLE.has(incident.kind) ? LEFT_OUT : replace.text(incident.words),
    })),
    edits: report.edits.map(edit => ({
      ...edit,
      target: replace.text(edit.target),
      before: LEFT_OUT,
      after: LEFT_OUT,
      refused: edit.refused === null ? null : LEFT_OUT,
    })),
    ...(report.signals === undefined
      ? {}
      : {
          signals: report.signals.map(signal => ({
            ...signal,
            about: replace.text(signal.about),
            words: replace.text(signal.words),
          })),
        }),
    damage: report.damage.map(replace.text),
    entries: [],
  })
}

const BY_PEOPLE: ReadonlySet<string> = new Set(['noted', 'answered', 'skipped', 'aborted'])

function redactedWindow(window: Report['window'], replace: Replace): Report['window'] {
  if (window === null) return null
  return {
    ...window,
    title: replace.text(window.title),
    notes: leftOut(window.notes),
    remarks: window.remarks.map(remark => ({ ...remark, text: LEFT_OUT })),
    closed: window.closed === null ? null : { ...window.closed, summary: leftOut(window.closed.summary) },
  }
}

function redactedTimeline(timeline: Report['timeline'], { text }: Replace): Report['timeline'] {
  return {
    ...timeline,
    phases: timeline.phases.map(phase => ({ ...phase, note: text(phase.note) })),
    lanes: timeline.lanes.map(lane => ({
      ...lane,
      spans: lane.spans.map(span => ({
        ...span,
        note: text(span.note),
        evidence: span.evidence.map(text),
        waits: span.waits.map(wait => ({ ...wait, what: text(wait.what) })),
        retries: span.retries.map(retry => ({ ...retry, what: text(retry.what) })),
      })),
    })),
  }
}

/** How a run ended, without the names of instances and without what people wrote. */
function redactedEnding(ending: RunEnding, replace: Replace): RunEnding {
  const accepted = ending.accepted.map(each => redactedAccepted(each, replace))
  if ('verdict' in ending) return { ...ending, accepted, verdict: redactedVerdict(ending.verdict, replace) }
  return ending.kind === 'Stopped'
    ? { ...ending, accepted, changed: ending.changed.map(replace.text) }
    : { ...ending, accepted }
}

function redactedAccepted(accepted: Accepted, { text }: Replace): Accepted {
  return accepted.code === 'Override'
    ? { ...accepted, message: text(accepted.message), reason: leftOut(accepted.reason) }
    : { ...accepted, title: text(accepted.title), reason: leftOut(accepted.reason) }
}

function redactedVerdict(verdict: NodeVerdict, { id, text }: Replace): NodeVerdict {
  const unread = 'unread' in verdict ? verdict.unread.map(each => ({ ...each, message: text(each.message) })) : []
  switch (verdict.kind) {
    case 'Empty':
      return { ...verdict, off: verdict.off.map(each => ({ id: id(each.id), name: id(each.id) })) }
    case 'NotEmpty':
      return {
        ...verdict,
        unread,
        instances: verdict.instances.map(each => ({
          ...each,
          id: id(each.id),
          name: id(each.id),
          decided: each.decided === null ? null : { ...each.decided, reason: leftOut(each.decided.reason) },
        })),
      }
    case 'Unknown':
      return { ...verdict, unread }
    case 'InService':
      return verdict
    case 'HeldBack':
      return {
        ...verdict,
        by: verdict.by.map(by =>
          by.code === 'ComputeDisabled' ? { ...by, reason: by.reason === null ? null : leftOut(by.reason) } : by,
        ),
      }
  }
}
