import { randomUUID } from 'node:crypto'
import type { Action } from './watcher-records.ts'
import type { Wanted } from './watcher-strategies.ts'

/** Action types by descending weight, with how many run in parallel (Watcher planner/weight.py). */
const KINDS: readonly { readonly type: Action['type']; readonly parallel: number }[] = [
  { type: 'change_nova_service_state', parallel: 1 },
  { type: 'stop', parallel: 2 },
  { type: 'migrate', parallel: 2 },
]

/** Orders actions by weight into groups; each group waits for the whole previous one. */
export function planActions(wanted: readonly Wanted[], now: number): readonly Action[] {
  const actions: Action[] = []
  let parents: readonly string[] = []
  for (const { type, parallel } of KINDS) {
    const ofKind = wanted.filter(each => each.type === type)
    for (let at = 0; at < ofKind.length; at += parallel) {
      const group = ofKind.slice(at, at + parallel).map(
        ({ input }): Action => ({
          uuid: randomUUID(),
          type,
          input,
          parents,
          createdAt: now,
          state: 'PENDING',
          updatedAt: null,
          statusMessage: null,
        }),
      )
      actions.push(...group)
      parents = group.map(each => each.uuid)
    }
  }
  return actions
}
