import { expect, test } from 'vitest'
import { PlanChoices } from '../../../shared/contract/index.ts'
import { whyNoCommandLine } from '../../../shared/domain/command-work.ts'
import { UpdateOptions } from '../../../shared/domain/update.ts'
import { WindowDraft, WindowEventBody } from '../../../shared/domain/window.ts'

const COMMAND = { kind: 'command', command: './patch.sh', directory: '/srv' }
const UPDATE = {
  scope: 'os',
  release: null,
  reason: '',
  controlNodes: [],
  groups: [],
  zoneAtATime: false,
  work: { kind: 'person' },
  pauseBetweenNodes: false,
  pauseBetweenPhases: false,
}
const DRAFT = {
  cluster: 'lab',
  title: 'Kernels',
  ticket: '',
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '2026-01-01T02:00:00Z',
  timeZone: 'UTC',
  notes: '',
}
const batches = (work: unknown) => ({
  ...DRAFT,
  plan: {
    kind: 'batches',
    scope: 'os',
    batches: [{ nodes: ['a'] }],
    work,
    workMinutes: null,
    pauseBetweenBatches: false,
  },
})
const update = (work: unknown) => ({ ...DRAFT, plan: { kind: 'update', update: { ...UPDATE, work } } })

test('a maintenance may have a command as its work', () => {
  expect(PlanChoices.safeParse({ work: COMMAND }).success).toBe(true)
})

test('no update, no window and no entry of a journal about a window can hold one', () => {
  expect(UpdateOptions.safeParse(UPDATE).success).toBe(true)
  expect(UpdateOptions.safeParse({ ...UPDATE, work: COMMAND }).success).toBe(false)
  for (const draftOf of [batches, update]) {
    const [person, command] = [draftOf({ kind: 'person' }), draftOf(COMMAND)]
    expect(WindowDraft.safeParse(person).success).toBe(true)
    expect(WindowDraft.safeParse(command).success).toBe(false)
    const event = (draft: unknown) => ({ kind: 'changed', draft, by: 'eva' })
    expect(WindowEventBody.safeParse(event(person)).success).toBe(true)
    expect(WindowEventBody.safeParse(event(command)).success).toBe(false)
  }
})

test.each([
  ['./patch.sh "$LOCKKEEPER_NODE"', null],
  ['', 'CommandEmpty'],
  ['   ', 'CommandEmpty'],
  ['a\nb', 'CommandNotOneLine'],
  ['a\u001b[2Kb', 'CommandNotOneLine'],
  ['a\u202eb', 'CommandNotOneLine'],
  ['a\u2028b', 'CommandNotOneLine'],
  ['a'.repeat(1_001), 'CommandTooLong'],
])('what is confirmed is seen whole: %j', (command, code) => {
  expect(whyNoCommandLine(command)?.code ?? null).toBe(code)
})
