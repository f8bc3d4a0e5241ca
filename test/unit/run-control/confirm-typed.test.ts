import { expect, test } from 'vitest'
import { whyNotTyped } from '../../../main/run-control/confirm-typed.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'

const disruptive = toyPlan([switchStep('drain', { risk: 'disruptive' })])
const harmless = toyPlan([switchStep('look', { risk: 'reversible' })])

test.each([
  ['a disruptive plan on production begins once the name of its cluster is typed', disruptive, true, 'test', null],
  ['it does not begin where nothing was typed', disruptive, true, undefined, 'bad-input'],
  ['it does not begin by the name of another cluster', disruptive, true, 'lab', 'bad-input'],
  ['it does not begin by the beginning of the name', disruptive, true, 'tes', 'bad-input'],
  ['it does not begin by the name in other letters', disruptive, true, 'Test', 'bad-input'],
  ['a plan that disrupts nothing begins without', harmless, true, undefined, null],
  ['where nothing is production, nothing is typed', disruptive, false, undefined, null],
] as const)('%s', (_what, plan, isProduction, typed, code) => {
  expect(whyNotTyped(plan, isProduction, typed)?.code ?? null).toBe(code)
})
