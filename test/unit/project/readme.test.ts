import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { commandTable } from '../../../main/compose/terminal/command-table.ts'
import { globalFlags } from '../../../main/faces/cli/arguments/global-flags.ts'
import { maintenanceAccessQuestions } from '../../../main/procedures/steps/general/access-questions.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')
const page = (name: string) => readFileSync(resolve(HOUSE, name), 'utf8')
const readme = page('README.md')
const terminal = page('docs/terminal.md')
const PAGES = ['README.md', ...globSync('docs/**/*.md', { cwd: HOUSE })]
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

describe('the pages for operators', () => {
  test('names every command of the terminal face, and none that is not there', () => {
    const named = [...terminal.matchAll(/^\| `[^|]+\|/gm)].flatMap(([row]) =>
      [...row.matchAll(/`([a-z]+(?: [a-z-]+){0,2})[^`]*`/g)].map(([, command]) => command),
    )
    const known = commandTable.map(({ path }) => path.join(' '))
    expect(named.filter(command => command?.startsWith('npm') !== true).sort()).toEqual([...known].sort())
  })

  test('names only flags that exist', () => {
    const known = new Set(
      [...globalFlags, ...commandTable.flatMap(({ flags }) => flags)].map(({ name }) => `--${name}`),
    )
    const named = [...terminal.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(flag => !known.has(flag))).toEqual([])
  })

  test('name behind a flag exactly the commands that take it', () => {
    const lists = [...terminal.matchAll(/`(--[a-z-]+)[^`]*` \(((?:[a-z]+; )?(?:`[a-z -]+`,? ?){3,})/g)]
    expect(lists.map(([, flag]) => flag)).toEqual(['--stuck', '--in-cluster', '--answer'])
    for (const [, flag = '', list = ''] of lists) {
      const named = [...list.matchAll(/`([a-z -]+)`/g)].map(([, command = '']) => command)
      const isNamed = (command: string) => named.some(name => command === name || command.startsWith(`${name} `))
      // A plan takes what its maintenance takes, and `requests create` is `enter`.
      const takers = commandTable
        .filter(({ flags }) => flags.some(({ name }) => `--${name}` === flag))
        .map(({ path }) =>
          path
            .join(' ')
            .replace(/^requests create$/, 'enter')
            .replace(/^plan /, ''),
        )
      expect({ flag, unreported: takers.filter(command => !isNamed(command)) }).toEqual({ flag, unreported: [] })
      expect({
        flag,
        wrong: named.filter(name => !takers.some(command => `${command} `.startsWith(`${name} `))),
      }).toEqual({
        flag,
        wrong: [],
      })
    }
  })

  test('has no example that begins in the past, on a page or in a help text', () => {
    const texts = [
      ...['docs/terminal.md', 'docs/windows-and-reports.md'].map(page),
      ...commandTable.flatMap(({ examples, flags }) => [
        ...examples,
        ...flags.map(({ name, help }) => `--${name} ${help}`),
      ]),
    ]
    const announced = texts.flatMap(text => [
      ...text.matchAll(/--(?:start|end|start-after|not-after) (?:[^\n`]*?such as |[^\n`]*?: )?"?(\d{4})-\d\d-\d\d/g),
    ])
    expect(announced.length).toBeGreaterThan(5)
    expect(announced.map(([, year]) => Number(year)).filter(year => year < 2035)).toEqual([])
  })

  test('docs/vocabulary.md has each word once, and names only code that is declared', () => {
    const rows =
      page('docs/vocabulary.md')
        .match(/^\| (?!word|idea|---)[^\n]+\| [^|\n]+ \|$/gm)
        ?.map(row => row.split('|')) ?? []
    const words = rows.filter(cells => cells.length === 6)
    expect(words.length).toBeGreaterThan(40)
    expect(new Set(words.map(cells => cells[1])).size).toBe(words.length)
    const code = globSync('{main,shared}/**/*.ts', { cwd: HOUSE }).map(page).join('\n')
    const named = words.flatMap(cells => [...(cells[3] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''))
    expect(
      named.filter(
        name => !new RegExp(`(?:const|type|interface|class|function) ${name}\\b|^ +${name}\\(`, 'm').test(code),
      ),
    ).toEqual([])
  })

  test('names only npm scripts that exist', () => {
    const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => script ?? '')
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(script => scripts[script] === undefined)).toEqual([])
  })

  test('shows an RBAC role that grants exactly what a maintenance asks for', () => {
    const role = parse(page('docs/real-clusters.md').match(/```yaml\n([\s\S]*?)```/)?.[1] ?? '') as {
      readonly rules: readonly Rule[]
    }
    const granted = role.rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap(group => resources.flatMap(resource => verbs.map(verb => `${verb} ${group}/${resource}`))),
    )
    const asked = maintenanceAccessQuestions('lockkeeper').map(
      ({ verb, group, resource, subresource }) =>
        `${verb} ${group}/${resource}${subresource === undefined ? '' : `/${subresource}`}`,
    )
    expect(granted.sort()).toEqual(asked.sort())
  })

  test.each(PAGES)('%s links only to existing files', name => {
    const links = [...page(name).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to]) => to ?? '')
    expect(links.filter(to => !existsSync(resolve(HOUSE, dirname(name), to)))).toEqual([])
  })

  test('names only files of the project that exist', () => {
    const named = PAGES.flatMap(name =>
      [...page(name).matchAll(/`((?:main|shared|renderer|test|bin|resources)\/[\w./-]*\w)`/g)].map(
        ([, path]) => path ?? '',
      ),
    )
    expect(named.length).toBeGreaterThan(100)
    expect(
      [...new Set(named)].filter(
        path => !existsSync(resolve(HOUSE, path)) && !existsSync(resolve(HOUSE, `${path}.ts`)),
      ),
    ).toEqual([])
  })
})
