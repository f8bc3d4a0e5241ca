import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJournal } from '../../../main/journal/journal.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { journalAt } from '../../fixtures/journals/journal-at.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const OLD = 60
const TAKEN = 40
let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-killed-'))
  const ours = journalAt(join(directory, 'ours.db'))
  for (let at = 0; at < OLD; at += 1) ours.run(`old-${at}`, '2026-01-01', '2026-01-02')
  ours.run('left', '2026-01-03', null, { cluster: 'west' })
  ours.journal.close()
  const theirs = journalAt(join(directory, 'theirs.db'))
  for (let at = 0; at < TAKEN; at += 1) theirs.run(`taken-${at}`, '2026-01-01', '2026-01-02')
  theirs.journal.close()
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('an import and retention that are killed at any moment leave each all done or not begun, and a chain that holds', async () => {
  const seen = new Set<number>()
  for (const [round, afterMs] of [0, 10, 40, 80, 160, 400, 1_500].entries()) {
    const folder = join(directory, `round-${round}`)
    mkdirSync(folder)
    const path = join(folder, 'journal.db')
    copyFileSync(join(directory, 'ours.db'), path)
    const program = fileURLToPath(new URL('pruning-process.ts', import.meta.url))
    const words = ['--disable-warning=ExperimentalWarning', program, path, join(directory, 'theirs.db')]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    await once(child.stdout, 'data')
    await delay(afterMs)
    child.kill('SIGKILL')
    await closed

    const journal = valueIn(openJournal({ path, clock: createVirtualClock() }))
    const runs = valueIn(journal.rows({ cluster: null })).length
    const check = valueIn(journal.care.check())
    journal.close()
    expect(check.words).toMatch(/The chain is valid:/)
    expect(check.ok).toBe(true)
    expect([OLD + 1, OLD + TAKEN + 1, 1], `after ${afterMs} ms`).toContain(runs)
    if (runs === 1) {
      const archive = readdirSync(folder).find(name => name.startsWith('journal-') && name.endsWith('.db'))
      const kept = valueIn(openJournal({ path: join(folder, archive ?? 'none'), clock: createVirtualClock() }))
      expect(valueIn(kept.rows({ cluster: null }))).toHaveLength(OLD + TAKEN + 1)
      kept.close()
    }
    seen.add(runs)
  }
  expect(seen.size, 'killed at different moments').toBeGreaterThan(1)
})
