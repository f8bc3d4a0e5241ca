import { describe, expect, it, test } from 'vitest'
import { RunWait } from '../../../shared/domain/run-wait.ts'
import { waitSentence, waitText } from '../../../shared/words/waits.ts'
import { sampleWaits } from '../../fixtures/cli/sample-waits.ts'

const SAMPLES: readonly RunWait[] = Object.values(sampleWaits())

describe('a wait', () => {
  it('is tried here with each of its codes', () => {
    const codes = RunWait.options.map(({ shape }) => shape.code.value)
    expect(SAMPLES.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
  })

  test.each(SAMPLES.map(wait => [wait.code, wait] as const))('of code %s is JSON, and says what and who', (_, wait) => {
    expect(RunWait.parse(JSON.parse(JSON.stringify(wait)))).toEqual(wait)
    const { what, who } = waitText(wait)
    for (const sentence of [what, who]) expect(sentence).toMatch(/^\S.*[.?]$/s)
    expect(waitSentence(wait)).toContain(what)
  })

  it('says each of its values', () => {
    const { LockHeld, BudgetRefuses, FinalizerKeepsPod, LeaseAway } = sampleWaits()
    expect(waitText(LockHeld).what).toBe('openstack, whose lock openstack-cmp-1 is active: 2 instances to go.')
    expect(waitText(BudgetRefuses).what).toBe('openstack/db-0: The budget db needs 3 healthy pods.')
    expect(waitText({ ...BudgetRefuses, pods: ['a', 'b'] }).what).toBe('2 pods: The budget db needs 3 healthy pods.')
    expect(waitText(FinalizerKeepsPod).what).toBe('openstack/db-0 has ended, but its finalizer x/y keeps it.')
    expect(waitText(LeaseAway).what).toBe('The Lease of cmp-1 ran out.')
    expect(waitText({ ...LeaseAway, lease: 'cmp-1', cause: 'it ran out' }).what).toBe(
      'The Lease of cmp-1 is lost. It ran out.',
    )
  })

  it('quotes the words of a controller after their meaning', () => {
    const { LeftToOwners, LockHeld } = sampleWaits()
    expect(waitText(LeftToOwners)).toMatchObject({
      what: 'web-1 is still on cmp-1, left to its owner.',
      said: 'Notify owners of web-1',
    })
    expect(waitText(LockHeld).said).toBeNull()
  })

  it('of an instance that asks waits for an answer, never for its owner', () => {
    expect(waitSentence(sampleWaits().InstanceAsks)).toBe('web-1: its migration has not moved for 5 min.')
  })
})
