import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { commandTable } from '../../../main/faces/cli/arguments/command-table.ts'
import { globalFlags } from '../../../main/faces/cli/arguments/global-flags.ts'
import { maintenanceAccessQuestions } from '../../../main/procedures/steps/general/access-questions.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')
const readme = readFileSync(resolve(HOUSE, 'README.md'), 'utf8')
const scripts = (
  JSON.parse(readFileSync(resolve(HOUSE, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
).scripts

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

describe('the README', () => {
  test('names every command of the terminal face, and none that is not there', () => {
    const named = [...readme.matchAll(/^\| `[^|]+\|/gm)].flatMap(([row]) =>
      [...row.matchAll(/`([a-z]+(?: [a-z-]+)?)[^`]*`/g)].map(([, command]) => command),
    )
    const known = commandTable.map(({ path }) => path.join(' '))
    expect(named.filter(command => command?.startsWith('npm') !== true).sort()).toEqual([...known].sort())
  })

  test('names only flags that exist', () => {
    const known = new Set(
      [...globalFlags, ...commandTable.flatMap(({ flags }) => flags)].map(({ name }) => `--${name}`),
    )
    const terminal = readme.slice(readme.indexOf('## The terminal'), readme.indexOf('## Working on it'))
    const named = [...terminal.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(flag => !known.has(flag))).toEqual([])
  })

  test('names only npm scripts that exist', () => {
    const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => script ?? '')
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(script => scripts[script] === undefined)).toEqual([])
  })

  test('shows an RBAC role that grants exactly what a maintenance asks for', () => {
    const role = parse(readme.match(/```yaml\n([\s\S]*?)```/)?.[1] ?? '') as { readonly rules: readonly Rule[] }
    const granted = role.rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap(group => resources.flatMap(resource => verbs.map(verb => `${verb} ${group}/${resource}`))),
    )
    const asked = maintenanceAccessQuestions('lockkeeper').map(
      ({ verb, group, resource, subresource }) =>
        `${verb} ${group}/${resource}${subresource === undefined ? '' : `/${subresource}`}`,
    )
    expect(granted.sort()).toEqual(asked.sort())
  })
})
