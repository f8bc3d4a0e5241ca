import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { CampaignWait } from '../../../shared/domain/campaign-wait.ts'
import { RUNNER_GONE } from '../../../shared/domain/maintenance-run.ts'
import { NodeVerdict, StayReason } from '../../../shared/domain/node-verdict.ts'
import { RunEnding } from '../../../shared/domain/run-ending.ts'
import { RunLeft } from '../../../shared/domain/run-left.ts'
import { RunWait } from '../../../shared/domain/run-wait.ts'

const TERMINAL = readFileSync(new URL('../../../docs/terminal.md', import.meta.url), 'utf8')

/** The codes in the table below a heading, each with its values. */
function tableOf(heading: string): Readonly<Record<string, readonly string[]>> {
  const lines = TERMINAL.split('\n')
  const from = lines.findIndex(line => line.startsWith(`| ${heading} |`))
  expect(from, `the page has a table "${heading}"`).toBeGreaterThan(0)
  const rows = lines.slice(from + 2, lines.indexOf('', from) < 0 ? undefined : lines.indexOf('', from))
  return Object.fromEntries(
    rows
      .filter(row => row !== '')
      .map(row => {
        const cells = row.split('|')
        const [code = ''] = codesIn(cells[1])
        return [code, codesIn(cells[3]).toSorted()]
      }),
  )
}

function codesIn(cell = ''): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? [])
}

/** Each code of a union with the fields that only it has. */
function codesOf(
  options: readonly {
    readonly shape: { readonly code: { readonly value: string } } & Readonly<Record<string, unknown>>
  }[],
  ofAny: readonly string[] = [],
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    options.map(({ shape }) => [
      shape.code.value,
      Object.keys(shape)
        .filter(name => name !== 'code' && !ofAny.includes(name))
        .toSorted(),
    ]),
  )
}

const OF_ANY_WAIT = ['for', 'node', 'since', 'moves', 'asksAt', 'failsAt', 'instances']

/** An example of each code. A new code must be added here, then to the page. */
const OF_CAMPAIGNS: { readonly [Code in CampaignWait['code']]: Extract<CampaignWait, { code: Code }> } = {
  CampaignMissing: { code: 'CampaignMissing', campaign: 'night' },
  CampaignUnreadable: { code: 'CampaignUnreadable', campaign: 'night' },
  CampaignOmitsRun: { code: 'CampaignOmitsRun', campaign: 'night' },
  CampaignRefused: { code: 'CampaignRefused', campaign: 'night' },
  CampaignHolds: { code: 'CampaignHolds', campaign: 'night', batch: 1, batches: 2 },
  CampaignIsJudged: { code: 'CampaignIsJudged', campaign: 'night' },
}

test('docs/terminal.md has each code of a wait with its values, and no other', () => {
  expect(tableOf('code of a wait')).toEqual(codesOf(RunWait.options, OF_ANY_WAIT))
  for (const field of OF_ANY_WAIT) expect(TERMINAL).toContain(`\`${field}\``)
})

test('docs/terminal.md has each code of a run that was left with its values, and no other', () => {
  expect(tableOf('code of a run that was left')).toEqual(codesOf(RunLeft.options))
})

test('docs/terminal.md has each kind of an end and of a verdict with its values, and each code of an instance that is left', () => {
  const kindsOf = (options: typeof RunEnding.options | typeof NodeVerdict.options, ofAny: readonly string[]) =>
    Object.fromEntries(
      options.map(({ shape }) => [
        shape.kind.value,
        Object.keys(shape)
          .filter(name => name !== 'kind' && !ofAny.includes(name))
          .toSorted(),
      ]),
    )
  expect(tableOf('kind of an end')).toEqual(kindsOf(RunEnding.options, ['accepted']))
  expect(tableOf('kind of a verdict')).toEqual(kindsOf(NodeVerdict.options, ['at', 'looked']))
  expect(Object.keys(tableOf('code of an instance that is left'))).toEqual(StayReason.options)
})

test('docs/terminal.md has each code of a status with its values, and no other', () => {
  const campaigns = Object.values(OF_CAMPAIGNS).map(({ code, ...values }) => [code, Object.keys(values).toSorted()])
  expect(tableOf('code of a status')).toEqual({ ...Object.fromEntries(campaigns), [RUNNER_GONE]: ['runner'] })
})

test('codes are CamelCase, as reasons of Kubernetes are', () => {
  const codes = [...RunWait.options, ...RunLeft.options].map(({ shape }) => shape.code.value)
  for (const code of [...codes, ...Object.keys(OF_CAMPAIGNS), RUNNER_GONE]) expect(code).toMatch(/^(?:[A-Z][a-z]+)+$/)
  expect(new Set(codes).size, 'none has two meanings').toBe(codes.length)
})
