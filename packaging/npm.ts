import { renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readBuildFacts } from './build-facts.ts'
import { NODE_FLAGS, PROJECT } from './project.ts'
import { DIST, freshFolder, put, run, settleModes, settleTimes, stageProgram } from './stage.ts'

// Makes dist/lockkeeper-VERSION.tgz, for `npm install --global`: the bundles without sources, tests or dependencies.
const ROOT = resolve(import.meta.dirname, '..')
const facts = readBuildFacts(ROOT)
const folder = freshFolder('npm')

stageProgram(folder)
put(
  join(folder, 'bin/lockkeeper'),
  `#!/usr/bin/env -S node ${NODE_FLAGS.join(' ')}
import module from 'node:module'

// Compiled code is kept between starts.
module.enableCompileCache?.()
await import('../out/cli/lockkeeper.mjs')
`,
  0o755,
)
put(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name: 'lockkeeper',
      version: facts.version,
      description: PROJECT.description,
      license: PROJECT.license,
      author: PROJECT.maintainer,
      homepage: PROJECT.homepage,
      type: 'module',
      bin: { lockkeeper: 'bin/lockkeeper' },
      engines: { node: '>=24' },
    },
    null,
    2,
  )}\n`,
)
put(
  join(folder, 'README.md'),
  '# Lockkeeper\n\nThe maintenance console for OpenStack clouds that run on Kubernetes, for Node 24 and newer.\n\n    npm install --global lockkeeper\n    lockkeeper demo tour\n    lockkeeper serve --demo\n',
)
settleModes(folder)
settleTimes(folder, new Date(facts.at))
const [packed] = JSON.parse(run('npm', ['pack', folder, '--json', '--pack-destination', DIST], 'npm')) as readonly {
  readonly filename: string
}[]
rmSync(folder, { recursive: true })
const made = join(DIST, `lockkeeper-${facts.version}.tgz`)
if (packed !== undefined && join(DIST, packed.filename) !== made) renameSync(join(DIST, packed.filename), made)
process.stdout.write(`${made}: ${(statSync(made).size / 1e6).toFixed(1)} MB\n`)
