import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { type RequestName, requests } from '../../../shared/contract/index.ts'
import { must } from '../../../shared/domain/must.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

const names = Object.keys(requests) as RequestName[]

/** Words with which a request that changes something is named. */
const CHANGES =
  /\.(add|update|remove|consent|change|create|close|cancel|note|start|stop|install|resume|pause|unpause|abort|detach|answer|decide|skip-node|pause-after-node|set-mode|mark|remedy|export|import|prune|accept|agree-to-endpoints|agree-start|take-back-start|attend-start|keep|notify|submit|withdraw|hand-over|control)$|^webhook\.test$/

describe('every request of the contract says what it does:', () => {
  test.each(names)('%s', name => {
    expect(['read', 'write', 'journaled']).toContain(requests[name].effect)
    expect(requests[name].effect !== 'read', 'its name tells whether it changes something').toBe(CHANGES.test(name))
  })
})

describe('what says that it reads', () => {
  let directory: string
  let demo: DemoClouds
  let app: App
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'lockkeeper-effects-'))
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 60 })
    const cluster = must(demo.clusters[0], 'there is a demo cloud')
    app = valueIn(
      await createApp({
        dataDirectory: join(directory, 'data'),
        demo: false,
        face: { kind: 'serve', pickFiles: null, secrets: null },
      }),
    )
    valueIn(
      await app.contract.ask('cluster.add', {
        name: 'one',
        flavour: 'plain',
        kubeconfig: { paths: [cluster.kubeconfigPath], context: cluster.context },
        cloud: { path: cluster.cloudsYamlPath, cloud: cluster.cloud },
      }),
    )
  })
  afterAll(async () => {
    await app.close()
    await demo.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Everything kept in the data directory but logs, tokens and what SQLite keeps beside the journal. */
  function kept(): string {
    const data = join(directory, 'data')
    const files = readdirSync(data, { recursive: true })
      .map(String)
      .filter(name => statSync(join(data, name)).isFile() && !/log|token|-shm$|\.lock/.test(name))
      .sort()
    return files
      .map(
        name =>
          `${name} ${createHash('sha256')
            .update(readFileSync(join(data, name)))
            .digest('hex')}`,
      )
      .join('\n')
  }

  const WITH = {
    cluster: 'one',
    name: 'one',
    node: 'cmp-1',
    kind: 'kubeconfig',
    text: '',
    from: null,
    to: null,
    limit: 5,
    paths: [],
    path: null,
    content: 'x',
    id: 'w',
    runId: 'r',
    planId: 'p',
    draft: {},
    nodes: ['cmp-1'],
  }

  /** What the names of its keys say about an input. */
  function inputOf(name: RequestName): unknown {
    const keys = Object.keys((requests[name].input as unknown as { readonly shape?: object }).shape ?? {})
    const input = Object.fromEntries(keys.filter(key => key in WITH).map(key => [key, WITH[key as keyof typeof WITH]]))
    return name === 'plan.make' ? { ...input, kind: 'enter', choices: {} } : input
  }

  test('leaves what this console keeps, byte by byte, as it was', async () => {
    const before = kept()
    const answered: string[] = []
    for (const name of names.filter(each => requests[each].effect === 'read')) {
      const answer = await app.contract.ask(name, inputOf(name) as never)
      if (answer.ok) answered.push(name)
      expect(answer.ok ? null : answer.failure.code, name).not.toBe('internal')
      expect(kept(), name).toBe(before)
    }
    expect(answered).toEqual(
      expect.arrayContaining(['cluster.list', 'node.list', 'plan.make', 'window.list', 'journal.check']),
    )
  })

  test('any message is answered or refused as bad input, and never crashes a handler', async () => {
    const key = fc.constantFrom('cluster', 'name', 'id', 'path', 'draft', '__proto__', 'constructor', 'toString', 'x')
    const message = fc.tuple(
      fc.constantFrom(
        ...names.filter(name => requests[name].effect === 'read'),
        'run.start',
        'run.abort',
        'window.close',
      ),
      fc.option(fc.tuple(key, fc.jsonValue({ maxDepth: 3 })), { nil: null }),
      fc.option(fc.jsonValue({ maxDepth: 3 }), { nil: null, freq: 3 }),
    )
    await fc.assert(
      fc.asyncProperty(message, async ([name, change, instead]) => {
        const good = inputOf(name as RequestName) as object
        const changed = change === null ? good : withKey(good, change[0], change[1])
        const answer = await app.contract.ask(name as RequestName, (instead ?? changed) as never)
        if (!answer.ok)
          expect(answer.failure.code, `${name} ${JSON.stringify(instead ?? changed)}`).not.toBe('internal')
        expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})

/** A message with another value under a key, or one key more; `__proto__` is a key like any other, as JSON.parse makes it. */
function withKey(message: object, key: string, value: unknown): unknown {
  const rest = Object.entries(message).filter(([name]) => name !== key)
  const pairs = [...rest, [key, value]].map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`)
  return JSON.parse(`{${pairs.join(',')}}`)
}
