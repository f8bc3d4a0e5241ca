import type { NodeVerdict } from '../../shared/domain/node-verdict.ts'
import type { Accepted, RunEnding } from '../../shared/domain/run-ending.ts'
import { leftOut } from './left-out.ts'
import type { Replace } from './replace-names.ts'

/** How a run ended, without the names of instances and without what people wrote. */
export function redactedEnding(ending: RunEnding, replace: Replace): RunEnding {
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
