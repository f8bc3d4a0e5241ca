import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashOf } from '../../../../../main/journal/chain-functions.ts'
import { type Journal, openJournal } from '../../../../../main/journal/journal.ts'
import { silentLogger } from '../../../../../main/platform/log/logger.ts'
import { linkRunner, type OpenContract } from '../../../../../main/wings/runner/attach/runner-link.ts'
import { type JournalMirrors, openMirrors } from '../../../../../main/wings/runner/mirrors/mirrors.ts'
import type { JournalStretch } from '../../../../../shared/contract/attach.ts'
import { CHAIN_BEGIN, type ChainHead } from '../../../../../shared/domain/journal-chain.ts'
import { must } from '../../../../../shared/domain/must.ts'
import { ok, type Result } from '../../../../../shared/domain/result.ts'
import { valueIn } from '../../../../fixtures/clusters/results.ts'
import { DRIVER } from '../../../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../../../fixtures/journals/temporary-journal.ts'

const here = temporaryJournal()
const POD = { by: 'mgmt', namespace: 'lockkeeper', name: 'lockkeeper-runner-0' }
let journal: Journal
let mirrors: JournalMirrors
let ending: AbortController
let isNoisy: boolean

beforeEach(() => {
  journal = here.open()
  journal.createRun('run-1', { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver: DRIVER })
  mirrors = openMirrors(join(here.directory, 'runners'), here.clock, () => {})
  ending = new AbortController()
  isNoisy = false
})
afterEach(() => {
  ending.abort()
  mirrors.close()
})

const firstLink = (): ChainHead => must(valueIn(journal.stretches.ends()), 'something was written').first

/** A link to a runner that says its journal begins so, and tells the links of this one. */
function linked(
  says: () => ChainHead | null,
  reports = (after: number, limit: number): Result<JournalStretch> => journal.stretches.after(after, limit),
) {
  const nudges = new Set<() => void>()
  const answers: Readonly<Record<string, (input: never) => unknown>> = {
    'attach.describe': () => {
      const first = says()
      return ok({ version: '1', machine: 'm', clouds: ['east'], first, head: first })
    },
    'attach.stretch': ({ after, limit }: { after: number; limit: number }) => reports(after, limit),
    'run.list': () => {
      // It says that there is something new whenever it is asked.
      if (isNoisy) for (const nudge of nudges) nudge()
      return ok([])
    },
  }
  const contract = {
    ask: async (name: string, input: never) => answers[name]?.(input),
    listen: (_: string, nudge: () => void) => {
      nudges.add(nudge)
      return () => nudges.delete(nudge)
    },
    onHole: () => {},
    closed: new Promise<never>(() => {}),
    close: () => {},
  }
  return linkRunner(
    {
      pod: POD,
      portForward: async () => ok(async () => ok(new PassThrough())),
      openContract: (async () => ok(contract)) as unknown as OpenContract,
      mirrors,
      before: null,
      clock: here.clock,
      log: silentLogger,
      onEvents: () => {},
      onChanged: () => {},
      onReceived: () => {},
    },
    ending.signal,
  )
}

test('a journal that begins with another entry than its runner says is not kept', async () => {
  const link = linked(() => ({ ...firstLink(), hash: 'f'.repeat(64) }))
  await link.firstTry
  expect(link.connection()).toMatchObject({ kind: 'lost', why: expect.stringContaining('The console did not keep it') })
  expect(link.mirror()?.head() ?? null).toBeNull()
})

test('a runner with a new and empty journal is connected, and the earlier mirror is no longer its own', async () => {
  let says: ChainHead | null = firstLink()
  const link = linked(() => says)
  await link.firstTry
  const before = must(link.mirror(), 'it is mirrored')
  expect(before.head()?.seq).toBe(1)
  says = null
  await here.clock.advance(6_000)
  expect(link.connection().kind).toBe('connected')
  expect(link.mirror()).toBeNull()
  expect(before.head()?.seq, 'the old mirror stays').toBe(1)
})

const files = () => {
  const folder = join(here.directory, 'runners')
  return existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.db')) : []
}

/** A different journal each time, of one link with the right hash. */
function begun(count: number): JournalStretch {
  const link = { seq: 1, source: 'run-event', sourceSeq: 1, digest: hashOf('', { seq: count, digest: '' }) } as const
  return { links: [{ ...link, hash: hashOf(CHAIN_BEGIN, link) }], entries: [] }
}
const beginningOf = (count: number): ChainHead => must(begun(count).links[0], 'it begins')

test('a runner that names another journal each time and sends no event of it leaves no file, and is not connected', async () => {
  isNoisy = true
  let count = 0
  const another = () => {
    count += 1
    return beginningOf(count)
  }
  const link = linked(another, () => ok({ links: [], entries: [] }))
  await here.clock.advance(120_000)
  expect(count).toBeGreaterThan(3)
  expect(link.connection()).toMatchObject({
    kind: 'lost',
    why: expect.stringContaining('The runner says that its journal is not empty but sent no entry of it'),
  })
  expect(files()).toEqual([])
})

test('a runner that shows one new journal after another is refused with words, and what it had stays', async () => {
  isNoisy = true
  let count = 0
  const another = () => {
    count += 1
    return beginningOf(count)
  }
  const link = linked(another, () => ok(begun(count)))
  await here.clock.advance(600_000)
  expect(count).toBeGreaterThan(10)
  expect(files()).toHaveLength(2)
  expect(link.connection()).toMatchObject({
    kind: 'lost',
    why: expect.stringMatching(/lockkeeper-runner-0.*another journal than before.*volume claim/s),
  })
  expect(link.mirror()?.head()?.seq).toBe(1)
})

test('a runner whose volume was replaced is connected again; the earlier mirror is closed, and is read on request', async () => {
  const link = linked(firstLink)
  await link.firstTry
  const before = must(link.mirror(), 'it is mirrored')
  journal = here.open(valueIn(openJournal({ path: join(here.directory, 'replaced.db'), clock: here.clock })))
  journal.createRun('run-2', { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver: DRIVER })
  await here.clock.advance(20_000)
  expect(link.connection().kind).toBe('connected')
  expect(link.mirror()?.journal.idsBeginningWith('run')).toEqual(['run-2'])
  expect(before.journal.rows({ cluster: null }).ok, 'it is closed').toBe(false)
  expect(
    mirrors
      .all()
      .flatMap(each => each.journal.idsBeginningWith('run'))
      .toSorted(),
  ).toEqual(['run-1', 'run-2'])
})
