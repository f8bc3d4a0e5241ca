import { describe, expect, it } from 'vitest'
import type { DisabledMigration } from '../../../shared/domain/plan.ts'
import type { WatcherAction } from '../../../shared/domain/watcher.ts'
import { type CoverageChoices, instanceFate } from '../../../shared/domain/watcher-coverage.ts'
import { instanceStatus, type StatusChoices } from '../../../shared/domain/watcher-instance-status.ts'
import { isPossible, vmStateOf, watcherMove } from '../../../shared/domain/watcher-moves.ts'
import { fault } from '../../../shared/words/step-texts.ts'
import { lossWords } from '../../../shared/words/watcher-fates.ts'
import { fakeAction } from '../../fixtures/procedures/fake-watcher.ts'
import { fakeInstance } from '../../fixtures/procedures/fake-world.ts'

const inState = (vmState: string, status = vmState.toUpperCase()) => fakeInstance('a', 'cmp-1', { vmState, status })
const ACTIVE = inState('active')
const SHUTOFF = inState('stopped', 'SHUTOFF')
const PAUSED = inState('paused')
const SUSPENDED = inState('suspended')
const ERROR = inState('error')
const DISABLED = ['none', 'live', 'cold', 'both'] as const satisfies readonly DisabledMigration[]

describe('what Watcher plans for an instance (docs/domain.md B.2, truth table)', () => {
  it.each([
    ['none', 'live', 'cold'],
    ['live', 'cold', 'cold'],
    ['cold', 'live', 'stays'],
    ['both', 'stop', 'stays'],
  ] as const)('with %s ruled out: active %s, every other %s', (disabled, active, other) => {
    expect(watcherMove(ACTIVE, disabled)).toBe(active)
    for (const instance of [SHUTOFF, PAUSED, SUSPENDED, ERROR]) expect(watcherMove(instance, disabled)).toBe(other)
  })

  it('plans cold migrations that Nova refuses: of paused, suspended and broken instances (docs/domain.md C.4)', () => {
    expect([ACTIVE, SHUTOFF].map(instance => isPossible('cold', instance))).toEqual([true, true])
    expect([PAUSED, SUSPENDED, ERROR].map(instance => isPossible('cold', instance))).toEqual([false, false, false])
  })

  it('goes by the status where a down cell leaves the state out', () => {
    expect(vmStateOf({ status: 'SHUTOFF', vmState: null, taskState: null })).toBe('stopped')
    expect(vmStateOf({ status: 'ACTIVE', vmState: null, taskState: null })).toBe('active')
  })
})

describe("instances' status (seed 004, compute role)", () => {
  const choices = (more: Partial<StatusChoices> = {}): StatusChoices => ({
    strategy: 'watcher',
    disableMigration: 'none',
    coldMigration: false,
    excluded: false,
    ...more,
  })

  it.each([
    // strategy, coldMigration, then none, live, cold, both
    ['watcher', false, ['blocks', 'noted', 'noted', 'noted']],
    ['watcher', true, ['noted', 'noted', 'noted', 'noted']],
    ['nova', false, ['blocks', 'blocks', 'noted', 'noted']],
    ['nova', true, ['noted', 'noted', 'noted', 'noted']],
  ] as const)(
    'strategy %s, cold migration %s: SHUTOFF is decided by what is ruled out',
    (strategy, coldMigration, kinds) => {
      const found = DISABLED.map(
        disableMigration => instanceStatus(SHUTOFF, choices({ strategy, coldMigration, disableMigration })).kind,
      )
      expect(found).toEqual(kinds)
    },
  )

  it('says of a stopped instance whether it moves or stays', () => {
    const note = (more: Partial<StatusChoices>) => {
      const found = instanceStatus(SHUTOFF, choices(more))
      return found.kind === 'noted' ? found.note : found.kind
    }
    expect(note({ coldMigration: true })).toBe('StoppedMovesCold')
    expect(note({ disableMigration: 'live' })).toBe('StoppedMovesAsAll')
    expect(note({ coldMigration: true, disableMigration: 'cold' })).toBe('StoppedStays')
    expect(note({ excluded: true })).toBe('StoppedLeftOut')
  })

  it.each(DISABLED)('ERROR and MIGRATING block whatever is ruled out (%s)', disableMigration => {
    const migrating = fakeInstance('a', 'cmp-1', { status: 'MIGRATING', taskState: 'migrating' })
    const more = choices({ disableMigration, coldMigration: true })
    expect(instanceStatus(ERROR, more)).toMatchObject({ kind: 'blocks', because: { code: 'InstanceInError' } })
    expect(instanceStatus(migrating, more)).toMatchObject({ kind: 'blocks', because: { code: 'InstanceMigrating' } })
  })

  it('an instance that Nova is busy with blocks, an excluded one in ERROR is named', () => {
    const busy = fakeInstance('a', 'cmp-1', { status: 'REBOOT', taskState: 'rebooting' })
    expect(instanceStatus(busy, choices())).toMatchObject({
      kind: 'blocks',
      because: { code: 'InstanceBusy', task: 'rebooting' },
    })
    expect(instanceStatus(ERROR, choices({ excluded: true })).kind).toBe('noted')
  })

  it('active, paused and suspended instances pass', () => {
    for (const instance of [ACTIVE, PAUSED, SUSPENDED]) expect(instanceStatus(instance, choices()).kind).toBe('passes')
  })
})

describe("what becomes of an instance under Watcher's plan", () => {
  const choices = (more: Partial<CoverageChoices> = {}): CoverageChoices => ({
    disableMigration: 'none',
    novaForRest: false,
    excluded: new Set(),
    canSkip: true,
    ...more,
  })
  const action = (kind: WatcherAction['kind'], more: Partial<WatcherAction> = {}) => fakeAction('a', { kind, ...more })

  it('an action that fits the instance and that Nova takes is run', () => {
    expect(instanceFate(ACTIVE, action('live-migrate'), choices())).toMatchObject({ kind: 'by-watcher', move: 'live' })
    expect(instanceFate(SHUTOFF, action('cold-migrate'), choices())).toMatchObject({ kind: 'by-watcher', move: 'cold' })
    expect(instanceFate(ACTIVE, action('cold-migrate'), choices({ disableMigration: 'live' }))).toMatchObject({
      kind: 'by-watcher',
      move: 'cold',
    })
    expect(instanceFate(ACTIVE, action('stop'), choices({ disableMigration: 'both' }))).toMatchObject({
      kind: 'by-watcher',
      move: 'stop',
    })
  })

  it.each([
    ['PAUSED', PAUSED, '--nova-for-rest'],
    ['SUSPENDED', SUSPENDED, 'resume'],
    ['ERROR', ERROR, 'Fix'],
  ])('%s planned as cold blocks: Nova would refuse it', (_status, instance, remedy) => {
    const fate = instanceFate(instance, action('cold-migrate'), choices())
    expect(fate).toMatchObject({ kind: 'blocked', why: { code: 'InstanceMoveImpossible', move: 'cold' } })
    if (fate.kind !== 'blocked' || fate.why.code !== 'InstanceMoveImpossible') throw new Error('it is another fate')
    expect(fault(fate.why.code, { instance: 'vm-a (a)', ...fate.why }).remedy).toContain(remedy)
  })

  it('PAUSED goes through Nova when asked for, SUSPENDED cannot', () => {
    expect(instanceFate(PAUSED, action('cold-migrate'), choices({ novaForRest: true })).kind).toBe('by-nova')
    expect(instanceFate(SUSPENDED, action('cold-migrate'), choices({ novaForRest: true })).kind).toBe('blocked')
  })

  it('nothing is live-migrated through Nova when live migration is ruled out', () => {
    const more = choices({ novaForRest: true, disableMigration: 'live' })
    expect(instanceFate(PAUSED, action('cold-migrate'), more).kind).toBe('blocked')
    expect(instanceFate(ACTIVE, null, more).kind).toBe('blocked')
  })

  it.each([
    ['an active one planned as cold', ACTIVE, action('cold-migrate'), 'none'],
    ['an active one planned to stop', ACTIVE, action('stop'), 'none'],
    ['a stopped one planned as live', SHUTOFF, action('live-migrate'), 'none'],
    ['a paused one planned as live', PAUSED, action('live-migrate'), 'none'],
    ['a stopped one planned as cold, though cold is ruled out', SHUTOFF, action('cold-migrate'), 'cold'],
  ] as const)(
    '%s: the plan was made for another state, and no flag lifts that',
    (_what, instance, planned, disableMigration) => {
      expect(instanceFate(instance, planned, choices({ disableMigration }))).toMatchObject({
        kind: 'blocked',
        why: { code: 'InstanceChangedSincePlan' },
      })
    },
  )

  it('an instance the plan does not have blocks, unless it stays by choice or goes through Nova', () => {
    expect(instanceFate(ACTIVE, null, choices())).toMatchObject({ kind: 'blocked', why: { code: 'InstanceNotInPlan' } })
    expect(instanceFate(SHUTOFF, null, choices())).toMatchObject({
      kind: 'blocked',
      why: { code: 'InstanceNotInPlan' },
    })
    expect(instanceFate(SHUTOFF, null, choices({ disableMigration: 'cold' })).kind).toBe('stays')
    expect(instanceFate(ACTIVE, null, choices({ novaForRest: true })).kind).toBe('by-nova')
  })

  it('a paused one that stays loses its memory, and the text says so', () => {
    const fate = instanceFate(PAUSED, null, choices({ disableMigration: 'both' }))
    expect(fate).toMatchObject({ kind: 'stays', state: 'paused' })
    expect(fate.kind === 'stays' && lossWords(fate)).toEqual([expect.stringContaining('memory is lost')])
  })

  it('one that is left out stays; where single actions cannot be left out, that blocks for good', () => {
    const excluded = new Set(['a'])
    expect(instanceFate(ACTIVE, action('live-migrate'), choices({ excluded })).kind).toBe('stays')
    expect(instanceFate(ACTIVE, action('live-migrate'), choices({ excluded, canSkip: false }))).toMatchObject({
      kind: 'blocked',
      why: { code: 'InstanceCannotBeLeftOut' },
    })
    expect(instanceFate(ACTIVE, null, choices({ excluded, canSkip: false })).kind).toBe('stays')
  })
})
