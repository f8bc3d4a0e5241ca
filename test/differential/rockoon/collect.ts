/**
 * Asks the handlers of a checkout of Rockoon what they decide in the situations of this folder, and stores their answers:
 *
 *     node --disable-warning=ExperimentalWarning test/differential/rockoon/collect.ts CHECKOUT
 *
 * CHECKOUT is a work tree of github.com/Mirantis/rockoon. PYTHON names another python3; it needs no package.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Answers } from '../answers.ts'
import type { Answer, Situation } from './situation.ts'
import { SITUATIONS } from './situations.ts'

const STORED = resolve(import.meta.dirname, '../answers/rockoon.json')

/** What Rockoon decided, as it was collected. */
export function rockoonAnswers(): Answers<Answer> {
  return JSON.parse(readFileSync(STORED, 'utf8')) as Answers<Answer>
}

/** Asks a checkout of Rockoon. */
function askRockoon(checkout: string, situations: readonly Situation[]): Readonly<Record<string, Answer>> {
  const asked = spawnSync(process.env.PYTHON ?? 'python3', [resolve(import.meta.dirname, 'ask-rockoon.py'), checkout], {
    input: JSON.stringify(situations),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (asked.status !== 0) throw new Error(asked.stderr)
  return JSON.parse(asked.stdout) as Readonly<Record<string, Answer>>
}

function collect(checkout: string): void {
  const commit = execFileSync('git', ['-C', checkout, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
  const answers = askRockoon(checkout, SITUATIONS)
  const lines = Object.entries(answers).map(
    ([name, answer]) => `    ${JSON.stringify(name)}: ${JSON.stringify(answer)}`,
  )
  writeFileSync(
    STORED,
    `{\n  "by": "Rockoon ${commit}, controllers/maintenance.py and health.py",\n  "answers": {\n${lines.join(',\n')}\n  }\n}\n`,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [checkout] = process.argv.slice(2)
  if (checkout === undefined) throw new Error('Name a checkout of Rockoon.')
  collect(checkout)
}
