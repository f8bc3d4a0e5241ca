import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { screenSentence } from '../../../renderer/ui/said.tsx'

const HOUSE = join(import.meta.dirname, '../../..')

test.each([
  [
    'or accept its outage with --allow-downtime and the reason.',
    'or accept its outage with “Accept the outage” and the reason.',
  ],
  ['Name it in the settings of the cluster (--role-label).', 'Name it in the settings of the cluster.'],
  ['Say to which one the run belongs (--window ID).', 'Say to which one the run belongs.'],
  ['wait, or choose --strategy nova.', 'wait, or choose “Emptied by: Lockkeeper, through Nova”.'],
  [
    'Look with `openstack server list --all-projects --host cmp-01`.',
    'Look with `openstack server list --all-projects --host cmp-01`.',
  ],
  ['A flag of nobody --here stays.', 'A flag of nobody --here stays.'],
])('%s', (reported, shown) => {
  expect(screenSentence(reported)).toBe(shown)
})

test('every flag that checks, windows and rules name has a name on the screen', () => {
  const sources = globSync('{main/procedures,main/windows,shared/domain,shared/words/steps}/**/*.ts', { cwd: HOUSE })
  // Sentences in quotes or backticks; a command in them is in its own backticks, or is a line to copy.
  const sentences = sources.flatMap(file =>
    readFileSync(join(HOUSE, file), 'utf8')
      .split('\n')
      .filter(line => /['`].* .*--[a-z]/.test(line) && !/^\s*(?:\/?\*|\/\/)|^openstack |^kubectl /.test(line))
      .map(line =>
        line.replace(/^\s*(?:[a-z]+: |[?:] |return |const \w+ = )?['`]|['`],?$/g, '').replaceAll('\\`', '`'),
      ),
  )
  expect(sentences.length).toBeGreaterThan(20)
  const unnamed = sentences.filter(line => /(?<![\w`])--[a-z]/.test(screenSentence(line).replace(/`[^`]*`/g, '')))
  expect(unnamed).toEqual([])
})
