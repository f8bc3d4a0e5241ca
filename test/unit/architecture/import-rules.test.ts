import { globSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import { importsOf } from './lexer.ts'
import { ROOMS } from './rooms.ts'
import { roomOf, violationsOf } from './violations.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')
const FILES = globSync('{main,shared,renderer}/**/*.{ts,tsx}', { cwd: HOUSE })
  .map(file => file.replaceAll('\\', '/'))
  .sort()

test('no file imports what its room may not', () => {
  expect(FILES.flatMap(file => violationsOf(file, readFileSync(join(HOUSE, file), 'utf8')))).toEqual([])
})

test('every offence of a file is named, each with its line', () => {
  const source = ['../adapters/kubernetes/b.ts', 'node:fs', 'zod'].map(from => `import { a } from '${from}'`)
  expect(violationsOf('main/reports/a.ts', ["import { a } from './b.ts'", ...source].join('\n'))).toEqual([
    'main/reports/a.ts:2: main/reports may not import main/adapters/kubernetes/b.ts',
    'main/reports/a.ts:3: main/reports may not import node:fs',
    'main/reports/a.ts:4: main/reports may not import the package zod',
  ])
})

test('the house has files in its main rooms, so the listing looked at something', () => {
  const rooms = new Set(FILES.map(file => roomOf(file)?.path))
  for (const room of [
    'main/runs/engine',
    'main/procedures',
    'main/adapters/kubernetes',
    'main/adapters/openstack',
    'main/faces/electron',
    'renderer/ui',
    'renderer/features/topology',
  ]) {
    expect(rooms).toContain(room)
  }
})

test('every room that is allowed somewhere exists by name', () => {
  const named = ROOMS.flatMap(room => [...room.imports, ...(room.types ?? [])])
  expect(
    named.filter(path => roomOf(`${path}/x.ts`) === undefined && !['main', 'shared', 'package.json'].includes(path)),
  ).toEqual([])
})

describe('the rules refuse', () => {
  test.each([
    [
      'main/runs/engine/a.ts',
      "import { a } from '../../adapters/kubernetes/b.ts'",
      'main/runs/engine may not import main/adapters/kubernetes/b.ts',
    ],
    [
      'main/runs/engine/a.ts',
      "import type { A } from '../../procedures/evacuation.ts'",
      'main/runs/engine may not import main/procedures',
    ],
    [
      'main/runs/engine/a.ts',
      "import { readFile } from 'node:fs/promises'",
      'main/runs/engine may not import node:fs/promises',
    ],
    [
      'main/procedures/a.ts',
      "import { a } from '../adapters/openstack/b.ts'",
      'main/procedures may not import main/adapters/openstack',
    ],
    [
      'main/adapters/kubernetes/a.ts',
      "import { a } from '../../ports/leases.ts'",
      'may import only types of main/ports',
    ],
    [
      'main/adapters/kubernetes/a.ts',
      "import type { A } from '../../procedures/evacuation.ts'",
      'main/adapters/kubernetes may not import',
    ],
    [
      'main/adapters/kubernetes/a.ts',
      "import type { A } from '../openstack/b.ts'",
      'main/adapters/kubernetes may not import main/adapters/openstack',
    ],
    [
      'main/adapters/kubernetes/a.ts',
      "import { C } from '../../../shared/contract/index.ts'",
      'may not import shared/contract',
    ],
    [
      'main/adapters/openstack/a.ts',
      "import { A } from '@kubernetes/client-node'",
      'the package @kubernetes/client-node',
    ],
    [
      'main/adapters/openstack/a.ts',
      "import type { A } from '@kubernetes/client-node/dist/x.js'",
      'the package @kubernetes/client-node',
    ],
    ['main/journal/a.ts', "import { a } from '../runs/engine/step.ts'", 'main/journal may not import main/runs'],
    [
      'main/clusters/a.ts',
      "import { a } from '../adapters/kubernetes/b.ts'",
      'may import only types of main/adapters/kubernetes',
    ],
    [
      'main/clusters/a.ts',
      "import type { A } from '../adapters/openstack/transport.ts'",
      'may not import main/adapters/openstack/transport.ts',
    ],
    [
      'main/api/a.ts',
      "import { a } from '../adapters/kubernetes/b.ts'",
      'main/api may not import main/adapters/kubernetes/b.ts',
    ],
    ['main/api/a.ts', "import { a } from '../faces/cli/b.ts'", 'main/api may not import main/faces/cli/b.ts'],
    [
      'main/faces/cli/a.ts',
      "import { a } from '../../procedures/b.ts'",
      'main/faces/cli may not import main/procedures/b.ts',
    ],
    ['main/faces/cli/a.ts', "import { a } from '../../demo/b.ts'", 'main/faces/cli may not import main/demo/b.ts'],
    ['main/faces/cli/a.ts', "import { a } from '../../../out/b.ts'", 'main/faces/cli may not import out/b.ts'],
    ['main/view/a.ts', "import { a } from '../procedures/b.ts'", 'main/view may not import main/procedures/b.ts'],
    ['main/faces/serve/a.ts', "import { app } from 'electron'", 'main/faces/serve may not import the package electron'],
    ['main/api/a.ts', "import type { App } from 'electron'", 'main/api may not import the package electron'],
    ['main/app.ts', "import { a } from './faces/cli/b.ts'", 'may not import the face main/faces/cli/b.ts'],
    [
      'main/demo/a.ts',
      "import { a } from '../adapters/kubernetes/b.ts'",
      'main/demo may not import main/adapters/kubernetes/b.ts',
    ],
    ['renderer/ui/a.tsx', "import { a } from '../../main/app.ts'", 'renderer/ui may not import main/app.ts'],
    ['renderer/ui/a.tsx', "import { a } from 'undici'", 'renderer/ui may not import the package undici'],
    ['shared/domain/a.ts', "import { a } from '../../renderer/b.ts'", 'shared/domain may not import renderer/b.ts'],
    [
      'shared/domain/a.ts',
      "import { a } from '../contract/run.ts'",
      'shared/domain may not import shared/contract/run.ts',
    ],
    ['shared/domain/a.ts', "import { a } from 'node:path'", 'shared/domain may not import node:path'],
    ['main/log/a.ts', "import { a } from 'path'", 'imports path without node: before it'],
    [
      'main/log/a.ts',
      "import a from '../../package.json' with { type: 'json' }",
      'main/log may not import package.json',
    ],
    [
      'main/view/a.ts',
      "await import('../adapters/openstack/b.ts')",
      'main/view may not import main/adapters/openstack/b.ts',
    ],
    ['main/view/a.ts', 'await import(name)', 'a module whose name is only known when it runs'],
    ['main/attic/a.ts', '', 'no room'],
    ['main/loose.ts', '', 'no room'],
  ])('%s: %s', (file, source, problem) => {
    const found = violationsOf(file, source)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(problem)
  })

  test.each([
    'runs',
    'procedures',
    'lcm',
    'adapters/kubernetes',
    'adapters/openstack',
    'clusters',
    'journal',
    'view',
    'api',
  ])("the machine's own clock and chance in main/%s", room => {
    const source = [
      'Date.now()',
      'setTimeout(f, 1)',
      'globalThis.setInterval(f, 1)',
      'Math.random()',
      'new Date()',
      'new Date',
      'performance.now()',
    ]
    expect(violationsOf(`main/${room}/a.ts`, source.join('\n'))).toHaveLength(source.length)
  })
})

describe('the rules allow', () => {
  test.each([
    ['main/adapters/kubernetes/a.ts', "import type { KubernetesPort } from '../../ports/kubernetes.ts'"],
    ['main/adapters/kubernetes/b/c.ts', "import { a } from '../a.ts'"],
    ['main/adapters/kubernetes/a.ts', "import { KubeConfig } from '@kubernetes/client-node'"],
    ['main/app.ts', "import { a } from './kubernetes/b.ts'\nimport { b } from './demo/b.ts'"],
    ['main/faces/electron/a.ts', "import { createApp } from '../../app.ts'"],
    ['renderer/ui/a.tsx', "import type { A } from '../../shared/contract/index.ts'\nimport './theme.css'"],
    ['main/view/a.ts', "new Date(clock.now())\n// Date.now()\nconst a = 'setTimeout'\nclock.now()"],
    ['main/clock/a.ts', 'Date.now()'],
  ])('%s: %s', (file, source) => {
    expect(violationsOf(file, source)).toEqual([])
  })
})

/** Who imports what in the house, also for a type alone: both by their paths. */
const EDGES = FILES.flatMap(file =>
  importsOf(readFileSync(join(HOUSE, file), 'utf8')).flatMap(({ from }) =>
    from.startsWith('.') ? [[file, posix.join(posix.dirname(file), from)] as const] : [],
  ),
)

test('no room leans on one that leans on it, not even for a type', () => {
  // A file with rules of its own, such as where the terminal starts the serve face, belongs to its folder.
  const roomName = (file: string) => file.split('/').slice(0, 2).join('/')
  const floors = EDGES.filter(([, target]) => roomOf(target) !== undefined).map(
    ([file, target]) => [roomName(file), roomName(target)] as const,
  )
  expect(circleIn(floors)).toEqual([])
  expect(circleIn([...floors, ['main/ports', 'main/api']])).not.toEqual([])
})

test('no file leans on one that leans on it, not even for a type', () => {
  expect(circleIn(EDGES)).toEqual([])
  const [file, target] = must(
    EDGES.find(([, target]) => FILES.includes(target)),
    'files import one another',
  )
  expect(circleIn([...EDGES, [target, file]])).not.toEqual([])
})

/** The first circle that is found, in its order; empty: there is none. What imports itself is none. */
function circleIn(edges: readonly (readonly [string, string])[]): readonly string[] {
  const targets = Map.groupBy(edges, ([from]) => from)
  const done = new Set<string>()
  const walk = (name: string, path: readonly string[]): readonly string[] => {
    if (path.includes(name)) return path.slice(path.indexOf(name))
    if (done.has(name)) return []
    for (const [, to] of targets.get(name) ?? []) {
      if (to === name) continue
      const circle = walk(to, [...path, name])
      if (circle.length > 0) return circle
    }
    done.add(name)
    return []
  }
  for (const name of targets.keys()) {
    const circle = walk(name, [])
    if (circle.length > 0) return circle
  }
  return []
}
