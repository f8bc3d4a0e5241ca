import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { type CliProcess, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'

/** A command as the work on a node: a terminal that names it, a page beside it, on one data directory; consoles and keepers are killed. */
let directory: string
let demo: DemoClouds
let page: App
const terminals: CliProcess[] = []
const groups = new Set<number>()

const data = () => join(directory, 'data')
const ask: App['contract']['ask'] = (name, input) => page.contract.ask(name, input)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-command-'))
  demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 20 })
  page = valueIn(
    await createApp({ dataDirectory: data(), demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
  const { kubeconfigPath, context, cloudsYamlPath, cloud } = must(demo.clusters[0], 'the demo has demo-plain')
  valueIn(
    await ask('cluster.add', {
      name: 'lab',
      flavour: 'plain',
      kubeconfig: { paths: [kubeconfigPath], context },
      cloud: { path: cloudsYamlPath, cloud },
    }),
  )
})

afterEach(() => {
  for (const { child } of terminals) if (child.exitCode === null) child.kill('SIGKILL')
  for (const group of groups) kill(-group)
})

afterAll(async () => {
  await page.close()
  await demo.stop()
  await rm(directory, { recursive: true, force: true })
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

function terminal(args: readonly string[], dataDirectory = data()): CliProcess {
  const started = startLockkeeper(dataDirectory, args)
  terminals.push(started)
  return started
}

const FLAGS = ['--yes', '--concurrency', '8', '--delete-emptydir-data', '--force', 'test', '--allow-downtime', 'test']
const maintain = (node: string, command: string) =>
  terminal(['maintain', 'lab', node, ...FLAGS, '--outside-window', 'test', '--work', `command=${command}`])

async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  for (let left = 300; left > 0; left -= 1) {
    const found = await look()
    if (found !== null) return found
    await systemClock.sleep(100)
  }
  throw new Error(`never: ${what}. ${terminals.at(-1)?.output().slice(-2000)}`)
}

/** The newest run of a node. */
async function runOf(node: string): Promise<RunView | null> {
  const newest = valueIn(await ask('run.list', { cluster: 'lab', node }))[0]
  return newest === undefined ? null : foldRun(valueIn(await ask('run.show', { runId: newest.id })).events)
}

const factsOf = (view: RunView | null) => view?.steps.flatMap(({ facts }) => facts) ?? []

/** Waits until the command of a node's run is under way and has counted itself; its process group. */
async function underWay(node: string, name: string): Promise<{ readonly runId: string; readonly group: number }> {
  const found = await until(`the command of ${node} is under way`, async () => {
    const view = await runOf(node)
    const group = factsOf(view).findLast(({ fact }) => fact === 'work-command-runs')?.values.group
    return view === null || typeof group !== 'number' ? null : { runId: view.id, group }
  })
  groups.add(found.group)
  await until(`${name} counts`, () => (counted(name) === '' ? null : true))
  return found
}

const gateOf = (node: string) =>
  until(`a question about ${node}`, async () => {
    const view = await runOf(node)
    return view?.openGates[0] ?? null
  })

async function ended(node: string): Promise<RunView> {
  return until(`the run of ${node} has ended`, async () => {
    const view = await runOf(node)
    return view?.state.kind === 'finished' ? view : null
  })
}

const file = (name: string) => join(directory, name)
/** Counts its runs and continues until its stop file exists or the test's folder is gone, so that a failed test leaves no process. */
const counting = (name: string) =>
  `echo "$LOCKKEEPER_NODE $LOCKKEEPER_CLUSTER" >>${file(name)}; while [ ! -e ${file(`${name}.stop`)} ] && [ -e ${file(name)} ]; do sleep 0.05; done`
const counted = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '')

describe('a page', () => {
  const command = { kind: 'command', command: 'true', directory: '/' } as const

  test('refuses every plan with such work', async () => {
    const wish = { cluster: 'lab', node: 'cmp-01', choices: { work: command } }
    for (const kind of ['maintain', 'enter', 'leave'] as const) {
      expect(failureIn(await ask('plan.make', { ...wish, kind })).code).toBe('bad-input')
    }
    expect(failureIn(await ask('plan.make', { ...wish, kind: 'maintain' })).message).toContain('only a terminal')
    const update = valueIn(await ask('update.propose', { cluster: 'lab' })).options
    const planned = await ask('update.plan', { cluster: 'lab', update, choices: { work: command } })
    expect(failureIn(planned).message).toContain('Only `lockkeeper maintain` runs')
  })

  test('makes no window of it, changes none to it, and starts none with it', async () => {
    const draft = {
      cluster: 'lab',
      title: 'Kernels',
      ticket: '',
      startsAt: '2027-01-01T00:00:00.000Z',
      endsAt: '2027-01-01T02:00:00.000Z',
      timeZone: 'UTC',
      notes: '',
    }
    const batches = (work: unknown) => ({
      kind: 'batches',
      scope: 'os',
      batches: [{ nodes: ['cmp-01'] }],
      work,
      workMinutes: null,
      pauseBetweenBatches: false,
    })
    // What a page sends is any JSON at all.
    const anything = ask as unknown as (name: string, input: unknown) => ReturnType<typeof ask>
    const refused = async (name: string, input: unknown) => failureIn(await anything(name, input)).code
    expect(await refused('window.create', { draft: { ...draft, plan: batches(command) } })).toBe('bad-input')
    const { window } = valueIn(
      await ask('window.create', { draft: { ...draft, plan: batches({ kind: 'person' }) as { kind: 'open' } } }),
    )
    expect(
      await refused('window.change', {
        id: window.id,
        revision: window.revision,
        draft: { ...draft, plan: batches(command) },
      }),
    ).toBe('bad-input')
    expect(await refused('window.plan', { id: window.id, choices: { work: command } })).toBe('bad-input')
  })
})

describe('a terminal', () => {
  test('over a copy of the data directory starts nothing, and says why', async () => {
    const first = maintain('cmp-06', `echo run >>${file('five')}`)
    const runId = await until('it has begun', async () => {
      const view = await runOf('cmp-06')
      return factsOf(view).some(({ fact }) => fact === 'compute-disable-requested') ? (view?.id ?? null) : null
    })
    first.child.kill('SIGKILL')
    await first.finished
    const copied = file('copied')
    // In a separate process: a process that closes the journal's file releases all its locks on it.
    execFileSync('cp', ['-r', data(), copied])
    const elsewhere = terminal(['run', 'resume', runId], copied)
    expect((await elsewhere.finished).code).toBe(4)
    expect(elsewhere.output()).toMatch(/Nobody confirmed this command on this\s+installation/)
    expect(counted('five')).toBe('')
    expect(readdirSync(copied)).not.toContain('commands')
    const here = terminal(['run', 'resume', runId])
    expect((await here.finished).code).toBe(0)
    expect(counted('five')).toBe('run\n')
  })

  test('is killed while the command runs: the command continues, no run skips it or plans around it, and it runs once', async () => {
    const first = maintain('cmp-01', counting('one'))
    const { runId } = await underWay('cmp-01', 'one')
    first.child.kill('SIGKILL')
    await first.finished
    const shown = await until('it is interrupted', async () => {
      const { summary } = valueIn(await ask('run.show', { runId }))
      return summary.state === 'interrupted' ? summary : null
    })
    expect(shown.id).toBe(runId)
    const planned = await ask('plan.make', { cluster: 'lab', node: 'cmp-01', kind: 'leave', choices: {} })
    expect(failureIn(planned).message).toMatch(/command that run .* started for cmp-01 still runs.*kill -- -/)
    // A page goes on with it, too: it starts nothing.
    valueIn(await ask('run.resume', { runId }))
    await until('it waits for the command', async () =>
      factsOf(await runOf('cmp-01')).some(
        ({ fact, values }) => fact === 'waits-for' && String(values.what).includes('command'),
      )
        ? true
        : null,
    )
    const noQuestion = { runId, gateId: 'none', choice: 'skip', reason: 'x' } as const
    expect(failureIn(await ask('run.answer', noQuestion)).code).toBe('conflict')
    writeFileSync(file('one.stop'), '')
    expect((await ended('cmp-01')).state).toMatchObject({ kind: 'finished', outcome: 'done' })
    expect(counted('one')).toBe('cmp-01 lab\n')
  })

  test('is killed with its command and its keeper: that nobody saw the end is a question, passed by a skip', async () => {
    const first = maintain('cmp-02', counting('two'))
    const { runId, group } = await underWay('cmp-02', 'two')
    first.child.kill('SIGKILL')
    await first.finished
    kill(-group)
    const resumed = terminal(['run', 'resume', runId])
    const gate = await gateOf('cmp-02')
    expect(gate.question).toContain('no longer runs, and its result is unknown')
    expect(gate.choices).toEqual(['retry', 'skip', 'abort'])
    expect((await resumed.finished).code).toBe(4)
    const passed = terminal(['run', 'answer', runId, gate.gateId, 'skip', '--reason', 'looked at the node'])
    expect((await passed.finished).code).toBe(0)
    const view = await ended('cmp-02')
    expect(view.state).toMatchObject({ kind: 'finished', outcome: 'done' })
    expect(view.steps.find(({ step }) => step.kind === 'node-work')?.state).toBe('skipped')
    expect(counted('two')).toBe('cmp-02 lab\n')
  })

  test('aborts while the command runs: the message says that it continues, and how to end it', async () => {
    const first = maintain('cmp-03', counting('three'))
    const { runId, group } = await underWay('cmp-03', 'three')
    expect((await terminal(['run', 'abort', runId, '--yes']).finished).code).toBe(0)
    const view = await ended('cmp-03')
    await first.finished
    const left = view.state.kind === 'finished' ? view.state.leftBehind.join('\n') : ''
    expect(left).toMatch(new RegExp(`The command .* may still run.*kill -- -${group}`))
    expect(first.output()).toContain(`kill -- -${group}`)
    process.kill(group, 0)
    const undo = await ask('plan.undo', { runId, choices: {} })
    expect(failureIn(undo).message).toContain('still runs')
    writeFileSync(file('three.stop'), '')
    await until('the command has no process left', async () =>
      (await ask('plan.undo', { runId, choices: {} })).ok ? true : null,
    )
  })

  test('that named a command which fails waits for a person, whatever --yes says, and runs it again only on an answer', async () => {
    const first = maintain('cmp-05', `echo run >>${file('four')}; exit 3`)
    expect((await first.finished).code).toBe(4)
    expect(first.output()).toContain('before: --answer node-work=abort, when')
    const gate = await gateOf('cmp-05')
    expect(gate.question).toContain('ended with exit code 3')
    const { id } = must(await runOf('cmp-05'), 'it is there')
    expect((await terminal(['run', 'resume', id]).finished).code).toBe(4)
    expect(counted('four')).toBe('run\n')
    const again = terminal(['run', 'answer', id, gate.gateId, 'retry'])
    expect((await again.finished).code).toBe(4)
    expect(counted('four')).toBe('run\nrun\n')
    const before = terminal([
      ...'maintain lab cmp-06 --work command=true --answer node-work=retry'.split(' '),
      ...FLAGS,
    ])
    expect(await before.finished).toMatchObject({ code: expect.any(Number) })
    expect(before.output()).toContain('node-work takes abort')
  })
})
