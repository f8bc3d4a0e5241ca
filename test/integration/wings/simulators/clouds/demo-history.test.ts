import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockkeeper } from '../../../../fixtures/cli/lockkeeper-process.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-played-'))
const history = join(folder, 'demo/history.db')

beforeAll(async () => {
  const script = ['--disable-warning=ExperimentalWarning', '--import=./bin/read-tsx.ts', 'bin/play-demo-history.ts']
  await promisify(execFile)(process.execPath, [...script, history], { cwd: ROOT })
  // A week of runs, played by a separate process.
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const demo = async (file: string, ...words: readonly string[]) => {
  const ended = await lockkeeper(join(folder, `data of ${basename(file)}`), ['--demo', ...words], {
    LOCKKEEPER_DEMO_HISTORY: file,
  })
  expect(ended.code, ended.stderr).toBe(0)
  return ended.stdout
}

const rows = async (file: string, ...words: readonly string[]) =>
  JSON.parse(await demo(file, ...words, '-o', 'json')) as Record<string, unknown>[]

test('the history of the demo has runs that ended, in windows that closed, days before now', async () => {
  const runs = await rows(history, 'runs')
  expect(runs.map(({ kind, cluster, state }) => [kind, cluster, state]).toReversed()).toEqual([
    ['rolling-maintenance', 'demo-plain', 'done'],
    ['enter', 'demo-sunbeam', 'done'],
    ['leave', 'demo-sunbeam', 'done'],
    ['enter', 'demo-plain', 'aborted'],
    ['leave', 'demo-plain', 'done'],
    ['enter', 'demo-edge', 'done'],
    ['leave', 'demo-edge', 'done'],
  ])
  const newest = Math.max(...runs.map(({ endedAt }) => Date.parse(String(endedAt))))
  expect(newest).toBeLessThan(Date.now() - 24 * 3_600_000)
  const windows = await rows(history, 'window', 'list')
  expect(windows.map(({ status }) => status)).toEqual(['closed', 'closed', 'closed'])
})

test('its journal is complete: the chain is intact, and a report can be made', async () => {
  expect(existsSync(history)).toBe(true)
  const [run] = await rows(history, 'runs')
  const report = join(folder, 'report.json')
  await demo(history, 'report', String(run?.id), '-o', report)
  expect(existsSync(report)).toBe(true)
})

test('a demo without a recorded history starts without one', async () => {
  expect(await rows(join(folder, 'none.db'), 'runs')).toEqual([])
})
