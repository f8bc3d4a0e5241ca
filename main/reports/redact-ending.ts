import type { NodeVerdict, StillHere, Unread } from '../../shared/domain/node-verdict.ts'
import type { Accepted, RunEnding } from '../../shared/domain/run-ending.ts'
import type { Replace } from './replace-names.ts'

/** How a run ended, without names of instances and without what people wrote. `leftOut`: what stands for a text of theirs. */
export function redactedEnding(ending: RunEnding, replace: Replace, leftOut: (text: string) => string): RunEnding {
  const accepted = ending.accepted.map((each): Accepted => {
    const reason = leftOut(each.reason)
    return each.code === 'Override'
      ? { ...each, reason, message: replace.text(each.message) }
      : { ...each, reason, title: replace.text(each.title) }
  })
  if (ending.kind === 'Stopped') return { ...ending, accepted, changed: ending.changed.map(replace.text) }
  return 'verdict' in ending
    ? { ...ending, accepted, verdict: redactedVerdict(ending.verdict, replace, leftOut) }
    : { ...ending, accepted }
}

function redactedVerdict(verdict: NodeVerdict, replace: Replace, leftOut: (text: string) => string): NodeVerdict {
  const unread = (all: readonly Unread[]): Unread[] =>
    all.map(each => ({ ...each, message: replace.text(each.message) }))
  switch (verdict.kind) {
    case 'Empty':
      return { ...verdict, off: verdict.off.map(({ id }) => ({ id: replace.id(id), name: replace.id(id) })) }
    case 'NotEmpty': {
      const instances = verdict.instances.map((each): StillHere => {
        const { id, decided } = each
        const why = decided === null ? null : { ...decided, reason: leftOut(decided.reason) }
        return { ...each, id: replace.id(id), name: replace.id(id), decided: why }
      })
      return { ...verdict, instances, unread: unread(verdict.unread) }
    }
    case 'Unknown':
      return { ...verdict, unread: unread(verdict.unread) }
    case 'HeldBack': {
      const by = verdict.by.map(each =>
        each.code === 'ComputeDisabled' && each.reason !== null ? { ...each, reason: leftOut(each.reason) } : each,
      )
      return { ...verdict, by }
    }
    case 'InService':
      return verdict
  }
}
