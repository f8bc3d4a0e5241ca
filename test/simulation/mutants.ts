import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { simulateMany } from './many-seeds.ts'

/** A mend taken back: in this file, the mended words become what they were. */
interface Mutant {
  readonly name: string
  /** What it was about, in a sentence. */
  readonly was: string
  readonly changes: readonly Change[]
}

interface Change {
  readonly file: string
  readonly mended: string
  readonly before: string
}

const HTML_IS_A_LIST: Change = {
  file: 'main/adapters/kubernetes/list.ts',
  mended: '    const page = readAnswer(words, came, body => listPageOf(body, collection))\n',
  before:
    "    if (typeof came.body === 'string') return ok({ items: [], resourceVersion: '1' as ResourceVersion })\n    const page = readAnswer(words, came, body => listPageOf(body, collection))\n",
}

const NO_PROOF_OF_PODS: Change = {
  file: 'main/procedures/steps/general/drain-node.ts',
  mended: 'const proof = await provePodsGone(node, staying, ctx)',
  before: 'const proof: { left: readonly string[]; untold: string | null } = { left: [], untold: null }',
}

/** Of the simulation itself: so that a mutant is found by this lie and no other. */
const LOGIN_PAGES_ALONE: Change = {
  file: 'test/simulation/faults.ts',
  mended: "lie: dice.pick(['html', 'empty-list', 'empty-list', 'stale', 'bare', 'another'])",
  before: "lie: 'html'",
}

const MUTANTS: readonly Mutant[] = [
  {
    name: 'no-proof-that-pods-are-gone',
    was: 'an empty list of pods was enough to call a node drained',
    changes: [NO_PROOF_OF_PODS],
  },
  {
    name: 'html-and-no-proof',
    was: 'a login page was an empty list, and an empty list was enough to call a node drained (lies at steps are login pages alone)',
    changes: [HTML_IS_A_LIST, NO_PROOF_OF_PODS, LOGIN_PAGES_ALONE],
  },
  {
    name: 'no-second-source-for-instances',
    was: 'an empty list of instances was enough to call a host empty',
    changes: [
      {
        file: 'main/procedures/steps/compute/migrate-instances.ts',
        mended: 'const doubt = proofVerdict(proof, [read])',
        before: 'const doubt = null',
      },
    ],
  },
  {
    name: 'answers-of-the-past-are-believed',
    was: 'what OpenStack had said earlier, told again by a cache or by a replica that is behind, was taken for the present',
    changes: [
      {
        file: 'main/adapters/openstack/fresh-answers.ts',
        mended: 'return why === null ? outcome',
        before: 'return why !== undefined ? outcome',
      },
      {
        file: 'main/adapters/openstack/ask.ts',
        mended: 'return past[0] === undefined ? ok',
        before: 'return past !== undefined ? ok',
      },
    ],
  },
  {
    name: 'expiry-by-their-clock',
    was: 'a Lease expired by the renewTime of its holder against our clock',
    changes: [
      {
        file: 'main/adapters/kubernetes/leases.ts',
        mended: 'standingOf(holder, seen, clock.monotonicMs())',
        before:
          "{ ...standingOf(holder, seen, clock.monotonicMs()), freeInMs: Math.max(0, Date.parse(holder.renewedAt ?? '') + holder.durationSeconds * 1000 - clock.now()) }",
      },
    ],
  },
  {
    name: 'no-look-before-effects',
    was: 'the Lease was not read before an effect',
    changes: [
      {
        file: 'main/runs/engine/held-lease.ts',
        mended: 'const looked = await look(signal)',
        before: 'const looked = isHeld() ? ok(momentOf(clock)) : await look(signal)',
      },
    ],
  },
  {
    name: 'attempts-by-process',
    was: 'each resume gave an instance all its attempts again',
    changes: [
      {
        file: 'main/runs/engine/run-engine.ts',
        mended: 'if (finishedFailed) allowOneMore(view, record)',
        before: 'allowOneMore(view, record)',
      },
      {
        file: 'main/runs/engine/run-engine.ts',
        mended: "    if (state !== 'failed') continue\n",
        before: "    if (state === 'verified' || state === 'skipped') continue\n",
      },
      {
        file: 'main/procedures/steps/compute/evacuation-facts.ts',
        mended:
          '  return sinceAnswered(history, subject).filter(fact => fact.subject === subject && isAttempt(fact)).length\n',
        before:
          '  const since = history.findLastIndex(({ fact }) => fact === OPERATOR_RESUMED)\n  return sinceAnswered(history.slice(since + 1), subject).filter(fact => fact.subject === subject && isAttempt(fact)).length\n',
      },
    ],
  },
  {
    name: 'append-does-not-hear',
    was: 'an append took the first row and did not hear that its commit failed on a full disk',
    changes: [
      {
        file: 'main/journal/journal.ts',
        mended: 'const [inserted] = written(() => insertEvent.all(',
        before: 'const inserted = written(() => insertEvent.get(',
      },
    ],
  },
  {
    name: 'one-failed-renewal-is-the-end',
    was: 'a renewal that failed once was the end of the run',
    changes: [
      {
        file: 'main/runs/engine/held-lease.ts',
        mended: 'else return retryIn(renewed.failure)',
        before: 'else giveUp(renewed.failure.message)',
      },
    ],
  },
  {
    name: 'pause-unheard-while-away',
    was: 'a pause that was asked for while the Lease was away was forgotten when it came back',
    changes: [{ file: 'main/runs/engine/stop-switch.ts', mended: '  pause: 1,', before: '  pause: 0,' }],
  },
  {
    name: 'sent-after-the-stop',
    was: 'an announced request that waited for a look at the Lease was sent minutes after a person had stopped the run',
    changes: [
      {
        file: 'main/runs/engine/held-lease.ts',
        mended: 'stop === undefined || stop.aborted ? []',
        before: 'stop === undefined || !stop.aborted ? []',
      },
    ],
  },
  {
    name: 'one-exit-bares-the-others',
    was: 'MicroCeph’s exit of one node removed noout from another that is in maintenance',
    changes: [
      {
        file: 'main/procedures/steps/storage/noout-changes.ts',
        mended: 'await bridge(before.value, ctx)',
        before: 'await bridge({ ...before.value, others: [] }, ctx)',
      },
    ],
  },
  {
    name: 'one-node-too-many',
    was: 'an update took one node more at once than it may',
    changes: [
      {
        file: 'main/runs/engine/walk-batch.ts',
        mended: 'running.size < block.atOnce &&',
        before: 'running.size <= block.atOnce &&',
      },
    ],
  },
  {
    name: 'lost-lease-is-a-failed-run',
    was: 'a run whose Lease was gone had failed, instead of being interrupted',
    changes: [
      {
        file: 'main/runs/engine/drive-to-rest.ts',
        mended: "      record.append({ kind: 'lease-lost', node, why: reason.why })\n",
        before:
          "      record.append({ kind: 'lease-lost', node, why: reason.why })\n      return finish(record, 'failed', reason.why)\n",
      },
    ],
  },
  {
    name: 'foreign-by-the-file-alone',
    was: 'whose file the journal is was read from the main file without its log, where the application id stood',
    changes: [
      {
        file: 'main/journal/open-journal.ts',
        mended: 'if (applicationIdOf(database) !== APPLICATION_ID) database.exec(',
        before: 'if (Number.isNaN(applicationIdOf(database))) database.exec(',
      },
      {
        file: 'main/journal/open-journal.ts',
        mended: "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')\n",
        before:
          "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')\n    database.exec('PRAGMA application_id = ' + APPLICATION_ID)\n",
      },
      {
        file: 'main/journal/journal-file.ts',
        mended: '  const recovered = applicationIdIn(path)\n',
        before:
          '  if (Number(1) === 1) return own ? FOREIGN : NO_DATABASE\n  const recovered = applicationIdIn(path)\n',
      },
    ],
  },
]

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
})

// Puts known faults back, one at a time, in a copy of the sources, and tells how many schedules find each.
const root = resolve(import.meta.dirname, '../..')
let missed = 0
for (const mutant of MUTANTS.filter(({ name }) => values.only === undefined || name.includes(values.only))) {
  const copy = mkdtempSync(join(tmpdir(), 'lockkeeper-mutant-'))
  try {
    for (const part of ['main', 'shared', 'test/simulation', 'package.json']) {
      cpSync(join(root, part), join(copy, part), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const { file, mended, before } of mutant.changes) {
      const text = readFileSync(join(copy, file), 'utf8')
      if (!text.includes(mended)) throw new Error(`${mutant.name}: ${file} has no "${mended.slice(0, 60)}" any more`)
      writeFileSync(join(copy, file), text.replace(mended, before))
    }
    const figures = await simulateMany({
      from: Number(values.from),
      count: Number(values.seeds),
      workers: Number(values.workers),
      folder: join(copy, 'test/simulation'),
      stopAtFirst: true,
    })
    const [first] = figures.broken
    if (first === undefined) missed += 1
    process.stdout.write(
      first === undefined
        ? `${mutant.name} (${mutant.was}): NOT FOUND in ${figures.schedules} schedules\n`
        : `${mutant.name} (${mutant.was}): seed ${first.seed}, after ${figures.schedules} schedules; ${first.violations[0]?.rule}: ${first.violations[0]?.what.slice(0, 160)}\n`,
    )
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
process.exitCode = missed > 0 ? 1 : 0
