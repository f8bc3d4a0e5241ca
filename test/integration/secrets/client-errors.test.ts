import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { inspect } from 'node:util'
import { CoreV1Api, Exec, KubeConfig, Watch } from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenOutcome } from '../../../main/adapters/http/exchange.ts'
import { transportFailure } from '../../../main/adapters/kubernetes/errors.ts'
import { requestWords } from '../../../main/adapters/kubernetes/request-words.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { crashText } from '../../../main/platform/log/crash.ts'
import { createFileLogger } from '../../../main/platform/log/file-logger.ts'
import { createRedactor } from '../../../main/platform/log/redact.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { createCertificates } from '../../../main/wings/simulators/kubernetes/transport/certificates.ts'
import { must } from '../../../shared/domain/must.ts'
import { everythingWritten } from '../../fixtures/secrets/everything-written.ts'
import { createNeedles } from '../../fixtures/secrets/needles.ts'

/** Real errors of the real client over real TLS with a real client certificate: no failure made from them contains its key or token. */
const needles = createNeedles()
let simulator: KubernetesSimulator
let byCertificate: KubeConfig
let byToken: KubeConfig
let unverified: KubeConfig

beforeAll(async () => {
  simulator = await startKubernetesSimulator({ clock: systemClock, seed: [] })
  byCertificate = configFrom(simulator.kubeconfig('admin'))
  byToken = configFrom(simulator.kubeconfig('admin-token'))
  unverified = configFrom(
    simulator
      .kubeconfig('admin')
      .replace(/certificate-authority-data: .*/, `certificate-authority-data: ${otherAuthority()}`),
  )
  const keyData = must(byCertificate.getCurrentUser()?.keyData, 'the kubeconfig holds a key')
  needles.add('key', Buffer.from(keyData, 'base64').toString())
  needles.add('key data', keyData)
  needles.add('token', must(byToken.getCurrentUser()?.token, 'the kubeconfig holds a token'))
})

afterAll(() => simulator.stop())

function configFrom(text: string): KubeConfig {
  const config = new KubeConfig()
  config.loadFromString(text)
  return config
}

function otherAuthority(): string {
  return Buffer.from(createCertificates('somebody').authority).toString('base64')
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('the client was expected to fail')
    },
    (error: unknown) => error,
  )
}

function failedExec(config: KubeConfig): Promise<unknown> {
  const stream = new PassThrough()
  return thrownBy(new Exec(config).exec('default', 'nobody', 'main', ['true'], stream, stream, null, false))
}

function failedRead(config: KubeConfig): Promise<unknown> {
  return thrownBy(config.makeApiClient(CoreV1Api).readNode({ name: 'nobody' }))
}

function failedWatch(config: KubeConfig): Promise<unknown> {
  return new Promise(resolve => {
    void new Watch(config).watch('/api/v1/nowhere', {}, () => {}, resolve)
  })
}

const CORPUS: readonly (readonly [name: string, make: () => Promise<unknown>])[] = [
  ['an exec that failed, with a client certificate', () => failedExec(byCertificate)],
  ['an exec that failed, with a token', () => failedExec(byToken)],
  ['an exec towards a server that cannot be verified', () => failedExec(unverified)],
  ['a read that failed, with a client certificate', () => failedRead(byCertificate)],
  ['a read that failed, with a token', () => failedRead(byToken)],
  ['a read from a server that cannot be verified', () => failedRead(unverified)],
  ['a watch that failed, with a client certificate', () => failedWatch(byCertificate)],
  ['a watch that failed, with a token', () => failedWatch(byToken)],
  [
    'an error around an exec that failed',
    async () => new Error('the drain broke', { cause: await failedExec(byCertificate) }),
  ],
  [
    'several errors with an exec that failed among them',
    async () => new AggregateError([await failedExec(byCertificate), await failedExec(byToken)], 'all broke'),
  ],
]

describe('what plain Node would print does hold the credentials', () => {
  test.each([
    ['key', () => failedExec(byCertificate)],
    ['token', () => failedExec(byToken)],
  ])('the %s of an exec that failed', async (secret, make) => {
    const printed = inspect(await make(), { depth: 12, maxArrayLength: null, maxStringLength: null })
    expect(needles.foundIn(printed)).toContain(secret)
  })
})

describe('no file or message contains the credentials of', () => {
  test.each(CORPUS)('%s', async (_, make) => {
    const raw = await make()
    const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-client-errors-'))
    try {
      const log = createFileLogger({ directory, clock: systemClock, level: 'debug' })
      log.error('it broke', { error: raw, inside: { list: [raw], map: new Map([['raw', raw]]) } })
      log.debug(`it broke: ${inspect(raw, { depth: 12, maxArrayLength: null, maxStringLength: null })}`)
      log.close()
      const failure = transportFailure(
        requestWords('POST', '/api/v1/namespaces/ns/pods/p/exec'),
        'api:6443',
        brokenOutcome(raw),
      )
      const made = [
        JSON.stringify(createRedactor().value(raw)),
        crashText(raw, createRedactor()),
        inspect(failure, { depth: null, showHidden: true, maxStringLength: null }),
        ...(await everythingWritten(directory)).values(),
      ]
      expect(made).toHaveLength(4)
      expect(made.flatMap(text => needles.foundIn(text))).toEqual([])
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
})
