import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ACTION_TAG_PREFIX,
  MAINTENANCE_ACTIONS,
  type MaintenanceAction,
  markDifference,
  markedActions,
  taggedAction,
  tagOf,
} from '../../../shared/domain/instance-tags.ts'

const P = ACTION_TAG_PREFIX
const actions = fc.subarray([...MAINTENANCE_ACTIONS])
const foreign = fc.subarray(['team=web', `${P}reboot`, P, 'maintenance_action=notify', `${P}notify2`])

/** What the tags are after each single write, the first before any. */
function states(tags: readonly string[], wanted: readonly MaintenanceAction[]): readonly (readonly string[])[] {
  const { add, remove } = markDifference(tags, wanted)
  const walked: (readonly string[])[] = [tags]
  const step = (next: (before: readonly string[]) => readonly string[]) => walked.push(next(walked.at(-1) ?? []))
  for (const tag of add) step(before => [...before, tag])
  for (const tag of remove) step(before => before.filter(other => other !== tag))
  return walked
}

describe('marking an instance', () => {
  test.each<[string, readonly string[], readonly MaintenanceAction[], readonly string[], readonly string[]]>([
    ['none to one', ['team=web'], ['notify'], [`${P}notify`], []],
    ['one to another', [`${P}poweroff`], ['notify'], [`${P}notify`], [`${P}poweroff`]],
    ['from one tag to zero', [`${P}poweroff`, 'a'], [], [], [`${P}poweroff`]],
    ['already so', [`${P}live_migrate`, 'a'], ['live_migrate'], [], []],
    ['two to one of them', [`${P}poweroff`, `${P}notify`], ['poweroff'], [], [`${P}notify`]],
    [
      'from three tags to zero, the most harmless last',
      MAINTENANCE_ACTIONS.map(tagOf),
      [],
      [],
      [`${P}poweroff`, `${P}live_migrate`, `${P}notify`],
    ],
    ['none to several, the most harmless first', [], ['poweroff', 'notify'], [`${P}notify`, `${P}poweroff`], []],
    ['an unknown value stays', [`${P}reboot`], ['poweroff'], [`${P}poweroff`], []],
  ])('%s', (_name, tags, wanted, add, remove) => {
    expect(markDifference(tags, wanted)).toEqual({ add, remove })
  })

  test('ends with exactly the wanted known tags, and leaves every other tag alone', () => {
    fc.assert(
      fc.property(actions, actions, foreign, (marked, wanted, others) => {
        const after = states([...others, ...marked.map(tagOf)], wanted).at(-1) ?? []
        expect(markedActions(after)).toEqual(MAINTENANCE_ACTIONS.filter(action => wanted.includes(action)))
        expect(after.filter(tag => others.includes(tag))).toEqual(others)
        expect(after).toHaveLength(others.length + wanted.length)
      }),
    )
  })

  test('killed after any single write, it never leaves a single action that was neither there nor wanted, where that is possible', () => {
    fc.assert(
      fc.property(actions, actions, (marked, wanted) => {
        const fewest = Math.min(marked.length, wanted.length)
        const most = Math.max(marked.length, wanted.length)
        for (const tags of states(marked.map(tagOf), wanted)) {
          const { action } = taggedAction(tags)
          if (action === null || [marked, wanted].some(set => set.length === 1 && set.includes(action))) continue
          // Between none and several, written one by one, there is always a single one: then it is not the worst of them.
          expect([fewest, most > 1]).toEqual([0, true])
          const among = marked.length > 1 ? marked : wanted
          const harmless = (['notify', 'live_migrate', 'poweroff'] as const).find(each => among.includes(each))
          expect(action).toBe(harmless)
        }
      }),
    )
  })
})
