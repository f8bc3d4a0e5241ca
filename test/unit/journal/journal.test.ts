import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { registerChainFunctions } from '../../../main/journal/chain-functions.ts'
import { describeDatabaseError } from '../../../main/journal/database-trouble.ts'
import { type Journal, openJournal } from '../../../main/journal/journal.ts'
import { DriverReplaced } from '../../../main/ports/journal.ts'
import type { RunEventBody } from '../../../shared/domain/run.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal('data/journal.db')
const { clock, open } = here
const children: ChildProcess[] = []
const created: Extract<RunEventBody, { kind: 'run-created' }> = {
  kind: 'run-created',
  plan: toyPlan([switchStep('first')]),
  driver: DRIVER,
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function refusal() {
  const answer = openJournal({ path: here.path, clock })
  if (answer.ok) {
    answer.value.close()
    throw new Error('this file must not be opened')
  }
  return answer.failure
}

function write(runId: string, count = ''): ChildProcess {
  const program = fileURLToPath(new URL('writing-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, here.path, runId, count], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

/** Another hand in the file, without our rules; the chain it cannot leave out. */
function raw<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(here.path)
  registerChainFunctions(database)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const kindsOf = (journal: Journal, runId: string) => {
  const events = journal.events(runId)
  if (!events.ok) throw new Error(events.failure.message)
  return events.value.map(({ body }) => body.kind)
}

describe('what is kept', () => {
  test('events of a run come back as they were written, in order, after closing and opening again', () => {
    const journal = open()
    const written = [journal.createRun('run-1', created), journal.append('run-1', { kind: 'paused' }, DRIVER)]
    here.close()
    const read = open().events('run-1')
    expect(read.ok && read.value).toEqual(written)
    expect(written.map(({ seq }) => seq)).toEqual([1, 2])
  })

  test('a run is created with its first event, or not at all', () => {
    const journal = open()
    journal.createRun('run-1', created)
    expect(() => journal.createRun('run-1', created)).toThrow()
    expect(kindsOf(journal, 'run-1')).toEqual(['run-created'])
  })

  test('a run that cannot start leaves nothing', () => {
    const journal = open()
    const driver = { ...DRIVER, id: '' }
    expect(() => journal.createRun('run-1', { ...created, driver })).toThrow()
    expect(journal.row('run-1')).toBeNull()
  })

  test('an event of a run that does not exist is refused', () => {
    expect(() => open().append('nowhere', { kind: 'paused' }, DRIVER)).toThrow()
  })

  test('a driver that was replaced can neither write nor say that it lives', async () => {
    const journal = open()
    journal.createRun('run-1', created)
    const row = journal.row('run-1')
    if (row === null) throw new Error('the run has a row')
    // In a container each process may be 1 on a machine of the same name.
    const next = { ...DRIVER, id: 'driver-2', epoch: 2 }
    expect(journal.claim('run-1', next, row)).toBe(2)
    expect(() => journal.append('run-1', { kind: 'paused' }, DRIVER)).toThrow(DriverReplaced)
    expect(journal.append('run-1', { kind: 'paused' }, next).body.kind).toBe('paused')
    await here.clock.advance(60_000)
    journal.heartbeat('run-1', DRIVER)
    expect(journal.row('run-1')?.heartbeatAtMs, 'of the one that drives').toBe(row.heartbeatAtMs)
    expect(journal.claim('run-1', DRIVER, row), 'a second claim of what was seen before').toBeNull()
  })

  test.each([
    ['changed', "UPDATE events SET body = '{}'"],
    ['deleted', 'DELETE FROM events'],
  ])('nobody can have an event %s', (_what, sql) => {
    const journal = open()
    journal.createRun('run-1', created)
    expect(() => raw(database => database.exec(sql))).toThrow('append-only')
    expect(kindsOf(journal, 'run-1')).toEqual(['run-created'])
  })

  test('runs are listed newest first, of one cluster or of all', () => {
    const journal = open()
    for (const [runId, cluster] of [
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'one'],
    ] as const) {
      journal.createRun(runId, { ...created, plan: { ...created.plan, cluster } })
    }
    const ids = (cluster: string | null) => {
      const rows = journal.rows({ cluster })
      return rows.ok ? rows.value.map(({ id }) => id) : []
    }
    expect(ids(null)).toEqual(['c', 'b', 'a'])
    expect(ids('one')).toEqual(['c', 'a'])
  })

  test('an abbreviation finds the ids that begin with it, and takes its letters literally', () => {
    const journal = open()
    for (const id of ['4f1c', '4f2d', '%']) journal.createRun(id, created)
    expect(journal.idsBeginningWith('4f')).toEqual(['4f1c', '4f2d'])
    expect(journal.idsBeginningWith('%')).toEqual(['%'])
  })

  test('runs follow each other as they were written, also where the clock was set back between them', async () => {
    const journal = open()
    const written = ['one', 'two', 'three', 'four']
    for (const [at, id] of written.entries()) {
      // Before the third the clock is set back by a day.
      if (at === 2) here.clock.jump(-86_400_000)
      journal.createRun(id, created)
      await here.clock.advance(60_000)
    }
    const ids = (limit: number) => valueIn(journal.rows({ cluster: null, limit })).map(({ id }) => id)
    expect(ids(9)).toEqual(written.toReversed())
    expect(ids(2)).toEqual(['four', 'three'])
  })

  test('a run written under a clock of the year 2099 puts no later one before those of another journal', async () => {
    const journal = open()
    const now = here.clock.now()
    for (const id of ['one', 'future', 'two', 'taken over', 'three']) {
      if (id === 'future') here.clock.jump(Date.parse('2099-01-01T00:00:00Z') - now)
      if (id === 'two') here.clock.jump(now + 60_000 - here.clock.now())
      journal.createRun(id, created)
      await here.clock.advance(60_000)
    }
    const [event] = valueIn(journal.events('taken over'))
    raw(database =>
      database
        .prepare("INSERT INTO edits (at, cluster, node, body) VALUES ('2026-01-01', '', NULL, ?)")
        .run(JSON.stringify({ kind: 'import', events: [event?.seq, event?.seq] })),
    )
    expect(valueIn(journal.rows({ cluster: null })).map(({ id }) => id)).toEqual([
      'three',
      'taken over',
      'two',
      'future',
      'one',
    ])
  })

  test('the run of a plan is found by the plan’s id, also beside one that cannot be read', () => {
    const journal = open()
    const planned = (id: string) => ({ ...created, plan: { ...created.plan, id } })
    journal.createRun('one', planned('plan-1'))
    journal.createRun('two', planned('plan-2'))
    raw(database => {
      const row = ['torn', 'lab', '', 'enter', '2026-01-01', 'm', 1, 'd', 1, 0] as const
      database
        .prepare(
          'INSERT INTO runs (id, cluster, node, kind, created_at, machine, pid, driver_id, epoch, heartbeat_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        )
        .run(...row)
      database.exec(`INSERT INTO events (run_id, at, body) VALUES ('torn', '2026-01-01', '{"kind":"run-cre')`)
    })
    expect(['plan-1', 'plan-2', 'plan-3'].map(id => journal.runOfPlan(id))).toEqual(['one', 'two', null])
  })

  test('an event that cannot be read is named, and other runs stay readable', () => {
    const journal = open()
    for (const id of ['whole', 'torn']) journal.createRun(id, created)
    raw(database =>
      database.exec(`INSERT INTO events (run_id, at, body) VALUES ('torn', '2026-01-01', '{"kind":"pau')`),
    )
    const torn = journal.events('torn')
    expect(torn.ok ? null : torn.failure).toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('Event 3 of run torn'),
    })
    expect(kindsOf(journal, 'whole')).toEqual(['run-created'])
  })
})

describe('several processes', () => {
  test('a control is taken once, by the driver, in the order of the requests', () => {
    const [asking, driving] = [open(), open()]
    driving.createRun('run-1', created)
    asking.requestControl('run-1', { kind: 'pause', by: 'ana' })
    asking.requestControl('run-1', { kind: 'abort', by: 'ana', reason: 'wrong node' })
    expect(driving.takeControls('run-1')).toEqual([
      { kind: 'pause', by: 'ana' },
      { kind: 'abort', by: 'ana', reason: 'wrong node' },
    ])
    expect(driving.takeControls('run-1')).toEqual([])
    expect(asking.takeControls('run-1')).toEqual([])
  })

  test('of two processes that saw the same dead driver only one becomes the next', () => {
    const [one, other] = [open(), open()]
    one.createRun('run-1', created)
    const seen = one.row('run-1')
    if (seen === null) throw new Error('the run was created')
    expect(one.claim('run-1', { ...DRIVER, pid: 8 }, seen)).toBe(2)
    expect(other.claim('run-1', { ...DRIVER, pid: 9 }, seen)).toBeNull()
    expect(other.row('run-1')).toMatchObject({ pid: 8 })
  })

  test('three that make the journal and write to it at the same moment lose nothing', async () => {
    const writers = ['a', 'b', 'c'].map(runId => ({ runId, child: write(runId, '40') }))
    const said = await Promise.all(
      writers.map(async ({ child }) => {
        const [output] = await Promise.all([
          child.stdout === null ? '' : text(child.stdout),
          once(child, 'exit').then(([code]) => expect(code).toBe(0)),
        ])
        return output.trim().split('\n').map(Number)
      }),
    )
    expect(new Set(said.flat()).size).toBe(120)
    const journal = open()
    for (const [at, { runId }] of writers.entries()) {
      const events = journal.events(runId)
      expect(events.ok && events.value.slice(1).map(({ seq }) => seq)).toEqual(said[at])
    }
    const check = journal.care.check()
    expect(check.ok && check.value.chain).toMatchObject({ kind: 'holds', links: 123 })
  })

  test('what a process said was on disk is there after it was killed with SIGKILL, and the journal is whole', async () => {
    const child = write('run-1')
    let output = ''
    await new Promise<void>(resolve => {
      child.stdout?.on('data', chunk => {
        output += String(chunk)
        if (output.split('\n').length > 30) resolve()
      })
    })
    child.kill('SIGKILL')
    await once(child, 'close')
    const said = output.slice(0, output.lastIndexOf('\n')).split('\n').map(Number)
    const journal = open()
    const events = journal.events('run-1')
    const kept = events.ok ? events.value.slice(1).map(({ seq }) => seq) : []
    expect(kept.slice(0, said.length)).toEqual(said)
    expect(kept.length - said.length, 'at most what was not yet read from it').toBeGreaterThanOrEqual(0)
    expect(raw(database => database.prepare('PRAGMA integrity_check').get())).toEqual({ integrity_check: 'ok' })
    expect(journal.append('run-1', { kind: 'paused' }, DRIVER).seq).toBe((kept.at(-1) ?? 0) + 1)
  })
})

describe('the chain over two processes', () => {
  test('holds when both are killed with SIGKILL while they append, again and again', async () => {
    for (const round of [1, 2, 3]) {
      const writers = ['a', 'b'].map(name => write(`run-${name}-${round}`))
      await Promise.all(
        writers.map(
          child =>
            new Promise<void>(resolve => {
              let lines = 0
              child.stdout?.on('data', chunk => {
                lines += String(chunk).split('\n').length
                if (lines > 20) resolve()
              })
            }),
        ),
      )
      for (const child of writers) child.kill('SIGKILL')
      await Promise.all(writers.map(child => once(child, 'close')))
      const journal = open()
      const check = journal.care.check()
      expect(check.ok && check.value).toMatchObject({ ok: true, chain: { kind: 'holds' } })
      here.close()
    }
  }, 30_000)
})

describe('a journal that cannot be opened', () => {
  test('because the file is something else: it is named and left as it was', async () => {
    here.path = join(here.directory, 'journal.db')
    const content = 'this is a letter, not a database\n'.repeat(200)
    await writeFile(here.path, content)
    expect(refusal()).toMatchObject({ code: 'damaged', message: expect.stringContaining(here.path) })
    expect(await readFile(here.path, 'utf8')).toBe(content)
  })

  test('because its pages were overwritten: it is named and left as it was', async () => {
    open().createRun('run-1', created)
    here.close()
    const bytes = await readFile(here.path)
    bytes.fill(0x5a, 100, bytes.length)
    await writeFile(here.path, bytes)
    expect(refusal()).toMatchObject({ code: 'damaged', message: expect.stringContaining(here.path) })
    expect((await readFile(here.path)).equals(bytes)).toBe(true)
  })

  test('because its folder cannot be made: the file is named', async () => {
    await writeFile(join(here.directory, 'letter'), 'not a folder')
    here.path = join(here.directory, 'letter', 'journal.db')
    expect(refusal().message).toContain(here.path)
  })

  test('because another process holds it: it says so, and that trying again may help', () => {
    open()
    here.close()
    // Back to version 0, so that opening has something to write.
    raw(database => {
      database.exec('PRAGMA user_version = 0; BEGIN EXCLUSIVE')
      expect(refusal()).toMatchObject({ code: 'held', retryable: true, message: expect.stringContaining(here.path) })
      database.exec('ROLLBACK')
    })
  })

  test('because the disk is full: it says to make room', () => {
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE pages (body TEXT); PRAGMA max_page_count = 3')
    let problem: unknown = null
    try {
      database.exec("INSERT INTO pages VALUES (printf('%.*c', 100000, 'x'))")
    } catch (error) {
      problem = error
    }
    database.close()
    expect(describeDatabaseError(problem, '/data/journal.db').message).toMatch(/disk of the journal .* is full/)
  })
})
