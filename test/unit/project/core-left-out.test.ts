import { expect, test } from 'vitest'
import { leftOutOf } from '../../core/left-out.ts'
import { readSource } from '../architecture/source.ts'

/** Why a test is left out that holds this, beside a fixture that loads a simulator; null: it runs. */
function whyLeftOut(text: string): string | null {
  const files = {
    'test/unit/a.test.ts': text,
    'test/fixtures/clouds.ts':
      "export { start } from '../../main/wings/simulators/start.ts'\nimport '../unit/a.test.ts'",
    'main/app.ts': "import { open } from './wings/runner/door.ts'",
    'main/wings/runner/door.ts': "import { open } from './open.ts'",
  }
  const read = new Map(Object.entries(files).map(([file, source]) => [file, readSource(file, source)] as const))
  return leftOutOf(read, ['test/unit/a.test.ts']).get('test/unit/a.test.ts') ?? null
}

test.each([
  ["import { runner } from '../../main/wings/runner/runner.ts'", 'main/wings/runner/runner.ts'],
  ["const { runner } = await import('../../main/wings/runner/runner.ts')", 'main/wings/runner/runner.ts'],
  ["import { start } from '../fixtures/clouds.ts'", 'main/wings/simulators/start.ts'],
  ["import { Campaign } from '../../renderer/wings/runner/campaign.tsx'", 'renderer/wings/runner/campaign.tsx'],
  ["import { Page } from '../../renderer/wings/runner/door.tsx'", null],
  ["import type { Runner } from '../../main/wings/runner/runner.ts'", null],
  ["import { open } from '../../main/app.ts'", null],
  ["import { open } from '../../main/wings/runner/door.ts'", null],
  ["import { commands } from '../../main/wings/runner/cli/door.ts'", null],
])('%s needs %s', (text, need) => {
  expect(whyLeftOut(text)).toBe(need)
})

test.each(['test/unit/project/a.test.ts', 'test/unit/wings/runner/a.test.ts'])('%s is left out', file => {
  expect(leftOutOf(new Map([[file, readSource(file, '')]]), [file]).size).toBe(1)
})
