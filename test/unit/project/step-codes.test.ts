import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { valuesInFile } from './values-of-codes.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')
const PAGE = join(HOUSE, 'docs/codes.md')

type Catalogue = Readonly<Record<string, unknown>>

/** The folders with the texts of codes. */
const CATALOGUES = 'shared/{words,wings/*}/{steps,reasons}/*.ts'

/** Each catalogue, by the end of its name: FINDINGS, FAULTS, READS, REASONS, CALLS. */
const catalogues: (readonly (readonly [name: string, catalogue: Catalogue])[])[] = []
const codesBelow = { steps: new Set<string>(), reasons: new Set<string>() }
const KINDS = /_(?:FINDINGS|FAULTS|READS|REASONS|CALLS)$/
// One after another: Vitest may run a module twice when several imports load it at the same time, and its texts are then different objects.
for (const file of globSync(CATALOGUES, { cwd: HOUSE }).toSorted()) {
  const exported = Object.entries((await import(join(HOUSE, file))) as Readonly<Record<string, Catalogue>>)
  catalogues.push(exported)
  const codes = file.includes('/reasons/') ? codesBelow.reasons : codesBelow.steps
  for (const code of exported.filter(([name]) => KINDS.test(name)).flatMap(each => Object.keys(each[1])))
    codes.add(code)
}

/** One entry for each text: a catalogue may re-export those of another file. */
function of(
  kind: 'FINDINGS' | 'FAULTS' | 'READS' | 'REASONS' | 'CALLS',
): readonly (readonly [code: string, text: unknown])[] {
  const all = catalogues
    .flat()
    .flatMap(([name, catalogue]) => (name.endsWith(`_${kind}`) ? Object.entries(catalogue) : []))
  return all.filter(([code, text], at) => all.findIndex(other => other[0] === code && other[1] === text) === at)
}

const values = new Map(globSync(CATALOGUES, { cwd: HOUSE }).flatMap(file => [...valuesInFile(join(HOUSE, file))]))

function table(kind: Parameters<typeof of>[0]): string {
  const rows = of(kind)
    .map(([code]) => code)
    .toSorted()
  return rows
    .map(
      code => `| \`${code}\` | ${(values.get(code) ?? []).map(name => `\`${name}\``).join(', ')} |
`,
    )
    .join('')
}

const page = () => `# Codes

What a step of a run found, what is in its way, what it could not read, and why something else did not happen, by the codes and values that \`-o json\`, the journal and reports have beside each
text. A long list is \`{ names, total }\`, or \`{ items, total }\` of what is more than a name: its first 50, and how many there are. A finding that is part of another
one is a value of it, \`{ code, values, message }\`. A code keeps its name and the names of its values; its text, written in shared/words, may change. A newer version may have more codes.
The codes of waits, ends, verdicts and statuses are in [terminal.md](terminal.md). This page is made from the catalogues in shared/words/steps and reasons, and
test/unit/project/step-codes.test.ts compares it with them (\`LOCKKEEPER_WRITE_CODES=1\` rewrites it).

## What is in the way

Blockers of a check (\`blockers[].code\`), verifications that fail or cannot tell (\`code\`), failures of an apply and refusals (\`failure.reason\`).

| code | values |
|---|---|
${table('FAULTS')}
## What a step found

Checks that hold or have nothing to do, verifications that hold, what an apply did, and warnings (\`code\`, \`warnings[].code\`).

| code | values |
|---|---|
${table('FINDINGS')}
## What could not be read

The value \`read\` of \`NotRead\` and \`NotReadYet\`.

| code | values |
|---|---|
${table('READS')}
## What happens outside the steps of a run

Our own refusals and failures (\`failure.reason\`), what a test of a cluster says, what the map and lists note.

| code | values |
|---|---|
${table('REASONS')}
## What is asked of other programs

The value \`call\` of such a code.

| code | values |
|---|---|
${table('CALLS')}`

const everyCode = (['FINDINGS', 'FAULTS', 'READS', 'REASONS', 'CALLS'] as const).map(
  kind => [kind, of(kind).map(([code]) => code)] as const,
)

describe.each(everyCode)('the codes of %s', (_, codes) => {
  test('are CamelCase, and each is in one catalogue: a second one would silently replace it', () => {
    expect(codes.filter(code => !/^[A-Z][A-Za-z0-9]+$/.test(code))).toEqual([])
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([])
  })
})

test('no other room has a code of a step: a reader of JSON could not tell them apart', () => {
  expect([...codesBelow.reasons].filter(code => codesBelow.steps.has(code))).toEqual([])
})

test('the product uses each code of the catalogues', () => {
  const sources = globSync(['main/**/*.ts', 'shared/**/*.ts'], { cwd: HOUSE })
    .filter(file => !/^shared.words.(?:steps|reasons)\b/.test(file))
    .map(file => readFileSync(join(HOUSE, file), 'utf8'))
  const given = new Set(sources.flatMap(text => [...text.matchAll(/'([A-Z][A-Za-z0-9]+)'/g)].map(([, code]) => code)))
  expect(everyCode.flatMap(([, codes]) => codes.filter(code => !given.has(code)))).toEqual([])
})

test('docs/codes.md has each code with its values, and no other', () => {
  if (process.env.LOCKKEEPER_WRITE_CODES === '1') writeFileSync(PAGE, page())
  expect(readFileSync(PAGE, 'utf8')).toBe(page())
})
