import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { connectionSettings } from '../../../../main/adapters/kubernetes/connection.ts'
import { openCredentials } from '../../../../main/adapters/kubernetes/credentials.ts'
import { inClusterContext, inClusterKubeconfig } from '../../../../main/adapters/kubernetes/in-cluster.ts'
import { loadKubeconfig, singleContext } from '../../../../main/adapters/kubernetes/kubeconfig.ts'
import { openKubernetesSession } from '../../../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { newFolder } from '../../../fixtures/kubernetes/kubeconfig-files.ts'
import { manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'

const environment = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' }

const AUTHORITY = readFileSync(resolve(import.meta.dirname, '../../../fixtures/tls/chain-root.cert.pem'), 'utf8')

/** What a kubelet puts into a pod. */
async function pod(): Promise<string> {
  const folder = join(await newFolder(), 'serviceaccount')
  await mkdir(folder)
  await writeFile(join(folder, 'ca.crt'), AUTHORITY)
  await writeFile(join(folder, 'token'), 'first\n')
  return folder
}

test('a pod reaches its own cluster by the address and the files that its kubelet gave it', async () => {
  const context = valueIn(await inClusterContext({ environment, folder: await pod() }))
  const connection = valueIn(await connectionSettings(context, {}))
  expect(connection.server.href).toBe('https://10.96.0.1/')
  expect(connection).toMatchObject({ ca: AUTHORITY, verify: true, warnings: [] })
})

test('the address may be one of IPv6', async () => {
  const six = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }
  expect(valueIn(await inClusterContext({ environment: six })).cluster.settings?.server).toBe('https://[fd00::1]:6443')
})

test('the token is read again, for the kubelet renews it', async () => {
  const folder = await pod()
  const clock = manualClock()
  const context = valueIn(await inClusterContext({ environment, folder }))
  const connection = valueIn(await connectionSettings(context, {}))
  const credentials = valueIn(await openCredentials({ context, connection, consent: () => false, clock }))
  const header = async () => valueIn(await credentials.proof()).headers.Authorization
  expect(await header()).toBe('Bearer first')
  await writeFile(join(folder, 'token'), 'second\n')
  expect(await header()).toBe('Bearer first')
  await clock.advance(60_000)
  expect(await header()).toBe('Bearer second')
})

test('as a kubeconfig it says the same, holds no secret, and is read as any other', async () => {
  const folder = await pod()
  const text = valueIn(inClusterKubeconfig({ environment, folder }))
  expect(text).not.toContain('first')
  const path = join(await newFolder(), 'config')
  await writeFile(path, text)
  const context = valueIn(singleContext(valueIn(await loadKubeconfig([path])), 'in-cluster'))
  expect(valueIn(await connectionSettings(context, {}))).toEqual(
    valueIn(await connectionSettings(valueIn(await inClusterContext({ environment, folder })), {})),
  )
  expect(context.user?.tokenFile).toBe(join(folder, 'token'))
})

test('outside of a pod the failure says what is missing and what the alternative is', async () => {
  const answer = await openKubernetesSession({
    source: 'in-cluster',
    consent: () => false,
    clock: systemClock,
    log: silentLogger,
  })
  expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
  expect(JSON.stringify(answer)).toMatch(/KUBERNETES_SERVICE_HOST.*Give a kubeconfig/)
})
