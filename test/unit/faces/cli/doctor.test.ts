import { expect, test } from 'vitest'
import type { Examination, Finding } from '../../../../main/compose/doctor/finding.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

const FINE: Finding = { about: 'journal', name: 'whole', outcome: 'fine', message: 'The chain holds.', next: null }
const BROKEN: Finding = {
  about: 'cloud lab',
  name: 'API \u001b[31mserver',
  outcome: 'broken',
  message: 'no answer',
  next: 'start it',
}
const UNKNOWN: Finding = {
  about: 'cloud lab',
  name: 'clock',
  outcome: 'cannot-tell',
  message: 'Not asked.',
  next: null,
}

async function doctored(verdict: Examination['verdict'], findings: readonly Finding[], ...words: string[]) {
  const examination: Examination = { examinedAt: '2026-01-01T00:00:00.000Z', dataDirectory: '/data', verdict, findings }
  const terminal = createFakeTerminal({ examination })
  return { code: await terminal.run('doctor', ...words), terminal }
}

test.each<[Examination['verdict'], readonly Finding[], number]>([
  ['works', [FINE], 0],
  ['broken', [FINE, BROKEN, UNKNOWN], 1],
  ['cannot-tell', [FINE, UNKNOWN], 3],
])('doctor says %s by its exit code', async (verdict, findings, code) => {
  expect((await doctored(verdict, findings)).code).toBe(code)
})

test('doctor reads as it should, and never opens the application', async () => {
  const { terminal } = await doctored('broken', [FINE, BROKEN, UNKNOWN], 'lab')
  expect(terminal.out()).not.toContain('\u001b')
  expect(terminal.opened).toEqual([])
  expect(terminal.examined).toEqual(['lab'])
  const fine = await doctored('works', [FINE])
  const unknown = await doctored('cannot-tell', [FINE, UNKNOWN])
  const sessions = [terminal, fine.terminal, unknown.terminal].map(each => each.session())
  await expect(sessions.join('\n')).toMatchFileSnapshot('transcripts/doctor.txt')
})

test('with -o json there is nothing but JSON', async () => {
  const { terminal } = await doctored('broken', [FINE, BROKEN], '-o', 'json')
  expect(terminal.json()).toMatchObject({ verdict: 'broken', findings: [{ outcome: 'fine' }, { outcome: 'broken' }] })
  expect(terminal.err()).toBe('')
})
