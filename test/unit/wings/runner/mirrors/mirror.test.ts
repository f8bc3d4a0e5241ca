import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { digestOf, hashOf } from '../../../../../main/journal/chain-functions.ts'
import { type Journal, openJournal } from '../../../../../main/journal/journal.ts'
import {
  type JournalMirror,
  type JournalMirrors,
  openMirrors,
} from '../../../../../main/wings/runner/mirrors/mirrors.ts'
import type { JournalStretch } from '../../../../../shared/contract/attach.ts'
import { CHAIN_BEGIN } from '../../../../../shared/domain/journal-chain.ts'
import { must } from '../../../../../shared/domain/must.ts'
import { valueIn } from '../../../../fixtures/clusters/results.ts'
import { DRIVER } from '../../../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
let journal: Journal
let mirrors: JournalMirrors
let troubles: string[]

beforeEach(() => {
  journal = here.open()
  troubles = []
  mirrors = openedMirrors()
})
afterEach(() => mirrors.close())

function openedMirrors(): JournalMirrors {
  return openMirrors(join(here.path, '..', 'runners'), here.clock, why => troubles.push(why))
}

function run(runId: string, isDone = false): void {
  journal.createRun(runId, {
    kind: 'run-created',
    plan: { ...toyPlan([switchStep('first')]), cluster: 'east' },
    driver: DRIVER,
  })
  journal.append(runId, { kind: 'paused' }, DRIVER)
  if (isDone) journal.append(runId, { kind: 'run-finished', outcome: 'done', summary: 'Done.', leftBehind: [] }, DRIVER)
}

/** One entry of every source that a runner's journal may hold. */
function everyKind(): void {
  run('run-1', true)
  const draft = {
    cluster: 'east',
    title: 'Kernel',
    ticket: 'CHG-1',
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2026-01-01T04:00:00.000Z',
    timeZone: 'UTC',
    plan: { kind: 'open' },
    notes: '',
  } as const
  valueIn(
    journal.windows.record({ id: 'w1', cluster: 'east' }, { kind: 'created', draft, by: 'eva', machine: 'm' }, null),
  )
  const edit = { operator: 'eva', machine: 'm', kind: 'host-mode', target: 'node/n', before: 'a', after: 'b' } as const
  valueIn(journal.edits.record({ cluster: 'east', node: null, refused: null, ...edit }))
  valueIn(journal.edits.record({ cluster: 'east', node: 'cmp-1', refused: 'no', ...edit }))
  const moment = { kind: 'over', at: '2026-01-01T00:00:05.000Z', note: 'x' } as const
  valueIn(journal.observations.record('east', 'u1', { kind: 'moment', moment }))
  run('run-2')
}

const stretch = (seq: number, limit = 100): JournalStretch => valueIn(journal.stretches.after(seq, limit))
const mirror = (): JournalMirror => valueIn(mirrors.make(stretch(0), POD))

describe('a mirror of a journal', () => {
  test('holds every entry under its own number, with the chain of that journal', () => {
    everyKind()
    const into = mirror()
    expect(valueIn(into.take(stretch(0)))).toEqual({ head: valueIn(journal.stretches.ends())?.head, events: [1, 5] })
    const wish = {
      runIds: ['run-1', 'run-2'],
      windowIds: ['w1'],
      around: [{ cluster: 'east', from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' }],
    }
    const theirs = valueIn(journal.report.extract(wish))
    expect(theirs.entries).toHaveLength(9)
    expect(valueIn(into.journal.report.extract(wish))).toEqual(theirs)
    expect(into.journal.events('run-1')).toEqual(journal.events('run-1'))
    const rows = valueIn(into.journal.rows({ cluster: 'east' }))
    expect(rows.map(({ id, finished, kind }) => ({ id, finished, kind }))).toEqual(
      valueIn(journal.rows({ cluster: 'east' })).map(({ id, finished, kind }) => ({ id, finished, kind })),
    )
  })

  test('takes a journal piece by piece, and passes what it has', () => {
    everyKind()
    const into = mirror()
    for (let seq = 0; stretch(seq, 2).links.length > 0; seq = must(into.head(), 'it took some').seq) {
      valueIn(into.take(stretch(seq, 2)))
    }
    expect(into.head()).toEqual(valueIn(journal.stretches.ends())?.head)
    expect(valueIn(into.take(stretch(0)))).toEqual({ head: into.head(), events: null })
  })

  test('takes no more than it may become: a runner cannot fill the disk of a console', () => {
    everyKind()
    mirrors.close()
    mirrors = openMirrors(join(here.path, '..', 'runners'), here.clock, why => troubles.push(why), 1)
    const into = mirror()
    expect(into.take(stretch(0))).toMatchObject({
      ok: false,
      failure: {
        code: 'conflict',
        message: expect.stringContaining("The runner's journal is larger than the limit for mirrors (0.0 GiB)"),
      },
    })
    expect(into.head()).toBeNull()
  })

  test('of the journals of two runners each has its own, and another process finds them again', () => {
    run('run-1')
    const first = mirror()
    valueIn(first.take(stretch(0)))
    valueIn(first.keepAbout(ABOUT))
    mirrors.close()
    mirrors = openedMirrors()
    expect(mirrors.all().map(each => each.about())).toEqual([ABOUT])
    expect(mirrors.all()[0]?.journal.idsBeginningWith('run')).toEqual(['run-1'])
    const other = valueIn(mirrors.make(begun('another'), { ...POD, name: 'lockkeeper-runner-1' }))
    expect(other.head()).toBe(null)
    expect(mirrors.all()).toHaveLength(2)
    expect(troubles).toEqual([])
  })

  test('a run of a version that this one cannot read is kept and listed; its events say so', () => {
    run('run-1')
    const reported = stretch(0)
    const [first, ...entries] = reported.entries
    const body = JSON.stringify({ kind: 'run-created-anew', plan: { cluster: 'east', node: 'cmp-9', kind: 'enter' } })
    const newer = { ...must(first, 'a run has a first entry'), body }
    const { links } = chained([newer, ...entries], reported.links)
    const into = valueIn(mirrors.make({ links, entries: [newer, ...entries] }, POD))
    valueIn(into.take({ links, entries: [newer, ...entries] }))
    expect(valueIn(into.journal.rows({ cluster: 'east' }))).toMatchObject([{ id: 'run-1', node: 'cmp-9' }])
    expect(into.journal.events('run-1')).toMatchObject({ ok: false, failure: { code: 'damaged' } })
  })

  test('a link whose entry retention took is kept without it', () => {
    everyKind()
    const { links, entries } = stretch(0)
    const kept = entries.filter(({ source }) => source !== 'observation')
    const into = mirror()
    valueIn(into.take({ links, entries: kept }))
    expect(into.head()).toEqual(valueIn(journal.stretches.ends())?.head)
  })
})

/** The links of entries that were written otherwise. */
function chained(entries: JournalStretch['entries'], links: JournalStretch['links']): Pick<JournalStretch, 'links'> {
  let before = CHAIN_BEGIN
  return {
    links: links.map((link, at) => {
      const { cluster: _, ...entry } = must(entries[at], 'every link has its entry')
      const digest = digestOf(entry)
      before = hashOf(before, { seq: link.seq, digest })
      return { ...link, digest, hash: before }
    }),
  }
}

const POD = { by: 'east', namespace: 'lockkeeper', name: 'lockkeeper-runner-0' }

/** The beginning of a separate journal, whose first entry retention removed. */
function begun(of: string): JournalStretch {
  const link = { seq: 1, source: 'run-event', sourceSeq: 1, digest: hashOf(of, { seq: 1, digest: of }) } as const
  return { links: [{ ...link, hash: hashOf(CHAIN_BEGIN, link) }], entries: [] }
}

const ABOUT = {
  ...POD,
  clouds: ['east'],
  version: '1.0.0',
  asOf: '2026-01-01T00:00:00.000Z',
  undriven: ['run-1'],
}

describe('what does not follow is refused, and not kept:', () => {
  const changed = (stretch: JournalStretch, at: number, change: (text: string) => string): JournalStretch => ({
    ...stretch,
    entries: stretch.entries.map((entry, index) => (index === at ? { ...entry, body: change(entry.body) } : entry)),
  })
  test.each<[string, string, (reported: JournalStretch) => JournalStretch]>([
    ['a hole', 'conflict', reported => ({ ...reported, links: reported.links.filter((_, index) => index !== 3) })],
    ['an entry that was changed', 'damaged', reported => changed(reported, 2, body => body.replace('run', 'fun'))],
    [
      'a link that was changed',
      'conflict',
      ({ links, entries }) => ({
        entries,
        links: links.map((link, at) => (at === 2 ? { ...link, digest: 'a'.repeat(64) } : link)),
      }),
    ],
    ['the order of another journal', 'conflict', reported => ({ ...reported, links: reported.links.toReversed() })],
  ])('%s', (_, code, spoil) => {
    everyKind()
    const into = mirror()
    expect(into.take(spoil(stretch(0)))).toMatchObject({ ok: false, failure: { code } })
    expect(into.head()).toBe(null)
    expect(valueIn(into.journal.rows({ cluster: null }))).toEqual([])
    // The truth is taken all the same.
    valueIn(into.take(stretch(0)))
    expect(into.head()).toEqual(valueIn(journal.stretches.ends())?.head)
  })

  test('another journal in the place of the one that was mirrored', () => {
    run('run-1')
    const into = mirror()
    valueIn(into.take(stretch(0)))
    const { links, entries } = stretch(0)
    const forged = { entries, links: links.map(link => ({ ...link, hash: 'b'.repeat(64) })) }
    expect(into.take(forged)).toMatchObject({ ok: false, failure: { code: 'conflict' } })
  })
})

test('a mirror that is not a database stays, is reported, and hides none of the others', () => {
  run('run-1')
  valueIn(mirror().take(stretch(0)))
  valueIn(mirror().keepAbout(ABOUT))
  mirrors.close()
  const spoilt = join(here.path, '..', 'runners', `${'0'.repeat(24)}.db`)
  writeFileSync(spoilt, 'no database, but long enough to look at'.repeat(20))
  mirrors = openedMirrors()
  expect(mirrors.all()).toHaveLength(1)
  expect(troubles.join()).toContain(spoilt)
})

describe('a runner cannot fill a console with files:', () => {
  const files = () => {
    const folder = join(here.path, '..', 'runners')
    return existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.db')) : []
  }
  const HOUR_MS = 3_600_000

  test('a journal whose first link is missing, or differs from its hash, has no mirror', () => {
    run('run-1')
    const reported = stretch(0)
    const first = must(reported.links[0], 'there is one')
    expect(valueIn(mirrors.of(first))).toBeNull()
    const body = 'another'
    const untrue: readonly JournalStretch[] = [
      { links: [], entries: [] },
      { ...reported, links: [{ ...first, hash: 'f'.repeat(64) }] },
      { ...reported, links: reported.links.slice(1) },
      { ...reported, entries: reported.entries.map(entry => ({ ...entry, body })) },
    ]
    for (const each of untrue) expect(mirrors.make(each, POD).ok).toBe(false)
    expect(files()).toEqual([])
    valueIn(mirrors.make(reported, POD))
    expect(files()).toHaveLength(1)
    expect(valueIn(mirrors.of(first))?.made()).toMatchObject(POD)
  })

  test('its volume may be replaced at any time, but not again within the hour, also not in another process', async () => {
    valueIn(mirrors.make(begun('a'), POD))
    valueIn(mirrors.make(begun('b'), POD))
    mirrors.close()
    mirrors = openedMirrors()
    expect(mirrors.make(begun('c'), POD)).toMatchObject({
      ok: false,
      failure: {
        code: 'conflict',
        message: expect.stringMatching(/check its pod and its volume claim/s),
      },
    })
    expect(files()).toHaveLength(2)
    valueIn(mirrors.make(begun('of another pod'), { ...POD, name: 'lockkeeper-runner-1' }))
    await here.clock.advance(HOUR_MS)
    valueIn(mirrors.make(begun('c'), POD))
  })

  test('it has a limit, whichever runner sends more later, and the message names the solution', async () => {
    for (let count = 0; count < 8; count += 1) {
      const made = valueIn(mirrors.make(begun(`journal ${count}`), POD))
      valueIn(made.keepAbout({ ...ABOUT, name: 'lockkeeper-runner-1' }))
      await here.clock.advance(HOUR_MS)
    }
    const oldest = must(begun('journal 0').links[0], 'it begins').hash.slice(0, 24)
    expect(mirrors.make(begun('one more'), POD)).toMatchObject({
      ok: false,
      failure: {
        code: 'conflict',
        message: expect.stringMatching(new RegExp(`8 of its journals.*${oldest}\\.db`, 's')),
      },
    })
    expect(files()).toHaveLength(8)
    expect(valueIn(mirrors.of(must(begun('journal 3').links[0], 'it begins')))).not.toBeNull()
  })

  test('a file without entries is left out, and becomes a mirror with the first entry', () => {
    run('run-1')
    const id = must(stretch(0).links[0], 'there is one').hash.slice(0, 24)
    valueIn(openJournal({ path: join(here.path, '..', 'runners', `${id}.db`), clock: here.clock })).close()
    expect(mirrors.all()).toEqual([])
    valueIn(mirror().take(stretch(0)))
    expect(mirrors.all()).toHaveLength(1)
  })

  test('one without users is closed, and opened again for the next reader', () => {
    run('run-1')
    const first = mirror()
    valueIn(first.take(stretch(0)))
    const [one, other] = [first.hold(), first.hold()]
    one()
    expect(first.head()?.seq).toBe(2)
    other()
    expect(first.journal.rows({ cluster: null }).ok, 'it is closed').toBe(false)
    expect(mirrors.all().map(each => each.head()?.seq)).toEqual([2])
  })
})
