import { expect, test } from 'vitest'
import { cannotTell, ready } from '../../../main/procedures/answers.ts'
import { checkStep } from '../../../main/procedures/check-step.ts'

const finding = (message: string) => ({ code: 'Sample', values: {}, message })
const LOOKS = { kind: 'looks', role: 'general', why: 'To see.', title: () => 'It looks', undo: 'None.' } as const

test('a step that only looks has a check and nothing that acts or verifies', () => {
  const step = checkStep({ ...LOOKS, check: async () => ready(finding('It passes.')) })
  expect(step).toMatchObject({ risk: 'none', withinMs: 60_000 })
  expect(step).not.toHaveProperty('apply')
  expect(step).not.toHaveProperty('verify')
})

test('a check that could not look is blocked: "cannot tell" is an answer of verifies alone', () => {
  const unknown = cannotTell({ ...finding('Nothing proves it.'), remedy: 'Ask again.', never: null }, [])
  // @ts-expect-error a check answers ready, done or blocked
  checkStep({ ...LOOKS, check: async () => unknown })
  // @ts-expect-error also where it is one of several answers
  checkStep({ ...LOOKS, check: async input => (input.node === 'cmp-1' ? ready(finding('It passes.')) : unknown) })
  expect(unknown.kind).toBe('cannot-tell')
})
