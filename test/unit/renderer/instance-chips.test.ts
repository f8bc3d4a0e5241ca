import { describe, expect, it } from 'vitest'
import { instanceChips } from '../../../renderer/features/runs/instance-chips.ts'
import { conditionOf } from '../../../shared/domain/run-condition.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { type PlayedState, playedRun } from '../../fixtures/renderer/played-runs.ts'

function statesOf(state: PlayedState, isLeft = false) {
  const view = foldRun(playedRun(state).events)
  const chips = instanceChips(view, conditionOf(view, false), isLeft ? view.lastEventAt : null)
  return Object.fromEntries(chips.map(({ name, state: stands }) => [name, stands]))
}

describe('instances in the picture of a run', () => {
  it('are as the facts tell: moved, moving, to move; and where nothing was told, as the checks found them', () => {
    expect(statesOf('moving')).toMatchObject({
      'web-01': 'moved',
      'db-01': 'moving',
      'mail-01': 'to-move',
      'cache-01': 'stops',
      'ledger-01': 'owner',
    })
  })

  it('one that is left to its owner waits only once the run waits for it', () => {
    expect(statesOf('owner')['ledger-01']).toBe('waits')
  })

  it('one that moved when nobody followed it any more is not known to move', () => {
    expect(statesOf('interrupted', true)['db-01']).toBe('unknown')
  })

  it('one of which nothing was told is gone only where it was verified that none is left', () => {
    expect(statesOf('done')['ledger-01']).toBe('gone')
    expect(statesOf('failed')['ledger-01']).toBe('owner')
  })
})
