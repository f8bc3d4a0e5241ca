import { describe, expect, it } from 'vitest'
import {
  type Fate,
  MODES_OF_MANY,
  type ModeInput,
  marksOfValue,
  marksSetHere,
  modesOf,
} from '../../../renderer/ui/instances/mode-options.ts'

const MOVES: Fate = { action: 'live_migrate', source: 'host-mode', status: 'ACTIVE', powerState: 1 }

function modes(more: Partial<ModeInput> = {}) {
  return modesOf({
    marks: [],
    hostMode: null,
    fate: MOVES,
    vmState: 'active',
    isYours: false,
    canLeave: false,
    ...more,
  })
}

function shown(more: Partial<ModeInput> = {}): string | undefined {
  const { value, options } = modes(more)
  return options.find(option => option.value === value)?.label
}

function choosable(more: Partial<ModeInput> = {}): readonly string[] {
  return modes(more).options.flatMap(({ label, disabled }) => (disabled === true ? [] : [label]))
}

describe('the mode of an instance', () => {
  it('is its own, else that of its node, and says which', () => {
    expect(choosable()).toEqual(['Move live · default', 'Stop with node', 'Move live', 'Wait for owner'])
    expect(shown()).toBe('Move live · default')
    expect(shown({ hostMode: 'skip' })).toBe('Stop with node · default')
    expect(shown({ marks: ['notify'], hostMode: 'skip' })).toBe('Wait for owner · tag')
    expect(shown({ marks: ['poweroff'], isYours: true })).toBe('Stop with node · yours')
    expect(shown({ marks: ['poweroff', 'notify'] })).toBe('Move live · default')
  })

  it('is to leave it off while it is off', () => {
    expect(shown({ fate: { action: 'ignore', source: 'state', status: 'SHUTOFF', powerState: 4 } })).toBe(
      'Leave it off',
    )
  })

  it.each<[string, Partial<Fate>, Partial<ModeInput>]>([
    ['Choose…', { action: 'blocked' }, {}],
    ['Choose…', { action: 'blocked', source: 'tag' }, { marks: ['live_migrate'] }],
    ['Leave it here · yours', { action: 'ignore', source: 'operator' }, {}],
    ['Leave it off · yours', { action: 'ignore', source: 'operator', status: 'SHUTOFF', powerState: 4 }, {}],
    ['Move with downtime · yours', { action: 'cold_migrate', source: 'operator' }, { marks: ['live_migrate'] }],
    ['Stop with node · yours', { action: 'stop', source: 'operator' }, {}],
  ])('is not shown where something else happens: %s', (words, fate, more) => {
    expect(shown({ fate: { ...MOVES, ...fate }, ...more })).toBe(words)
    expect(choosable({ fate: { ...MOVES, ...fate }, ...more })).not.toContain(words)
  })

  it('of one that blocks can be set back to that of its node only if it has its own', () => {
    const fate: Fate = { ...MOVES, action: 'blocked' }
    expect(choosable({ fate })).toEqual(['Stop with node', 'Move live', 'Wait for owner'])
    expect(choosable({ fate, marks: ['live_migrate'] })[0]).toBe('Move live · default')
  })

  it('is the requested one while a change is on its way', () => {
    expect(shown({ fate: null, marks: ['poweroff'], isYours: true })).toBe('Stop with node · yours')
  })

  it('cannot be chosen in a state in which Nova takes no tag, except to leave it here', () => {
    const broken = {
      fate: { ...MOVES, action: 'blocked', source: 'state', status: 'ERROR' },
      vmState: 'error',
    } as const
    expect(shown(broken)).toBe('Not while in ERROR')
    expect(choosable(broken)).toEqual([])
    expect(shown({ ...broken, canLeave: true })).toBe('Choose…')
    expect(choosable({ ...broken, canLeave: true })).toEqual(['Leave it here…'])
  })

  it('is set here by its own last edit, not by an edit of many', () => {
    const mark = (...ids: readonly string[]) => ({
      kind: 'marks' as const,
      words: ids.join(' '),
      marks: ids.map(each => ({ id: each, actions: [] })),
    })
    const last = mark('a')
    expect([...marksSetHere([mark('a'), mark('a', 'b'), last])]).toEqual([['a', last]])
  })

  it('of several is one of three, or none', () => {
    expect(MODES_OF_MANY.map(({ value }) => marksOfValue(value))).toEqual([
      null,
      ['poweroff'],
      ['live_migrate'],
      ['notify'],
      [],
    ])
  })
})
