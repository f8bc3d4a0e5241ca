import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { requestWords } from '../../../main/adapters/kubernetes/request-words.ts'
import { type App, createApp } from '../../../main/app.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

const Role = z.object({
  kind: z.enum(['ClusterRole', 'Role']),
  rules: z.array(
    z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }),
  ),
})

/** What the manifests of roles grant, as `verb resource.group`. */
function granted(...roles: readonly string[]): ReadonlySet<string> {
  const documents = roles.flatMap(role =>
    parseAllDocuments(
      readFileSync(new URL(`../../../resources/rbac/lockkeeper-${role}.yaml`, import.meta.url), 'utf8'),
    ),
  )
  return new Set(
    documents
      .flatMap(document => Role.safeParse(document.toJS()).data?.rules ?? [])
      .flatMap(({ apiGroups, resources, verbs }) =>
        apiGroups.flatMap(group => resources.flatMap(resource => verbs.map(verb => `${verb} ${resource}.${group}`))),
      ),
  )
}

let app: App
beforeAll(async () => {
  app = valueIn(
    await createApp({ dataDirectory: null, demo: true, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
})
afterAll(() => app.close())

/** The requests of the work to the API servers of the demo clouds, as `verb resource.group`; requests of the demo's own controllers do not count. */
async function askedBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const asked = new Set<string>()
  const mine = new AsyncLocalStorage<true>()
  const receive = (message: unknown) => {
    const { request } = message as { readonly request: ClientRequest }
    const { pathname, searchParams } = new URL(request.path, 'http://cloud')
    // These roles do not cover OpenStack, and every user may ask for his own rights.
    if (mine.getStore() !== true || !/^\/apis?\//.test(pathname)) return
    const { verb, group, resource, subresource, name } = requestWords(
      request.method,
      pathname,
      searchParams.get('watch') === 'true',
    )
    if (resource === pathname || group === 'authorization.k8s.io') return
    expect(verb !== 'get' || name !== null).toBe(true)
    asked.add(`${verb} ${subresource === null ? resource : `${resource}/${subresource}`}.${group}`)
  }
  subscribe('http.client.request.start', receive)
  try {
    await mine.run(true, work)
  } finally {
    unsubscribe('http.client.request.start', receive)
  }
  return [...asked].sort()
}

const NODES = [
  ['demo-plain', 'cmp-01'],
  ['demo-sunbeam', 'sun-1'],
  ['demo-mosk', 'mosk-cmp-01'],
] as const

test.each(NODES)('the roles in resources/rbac grant what looking at %s asks for', async (cluster, node) => {
  const asked = await askedBy(async () => {
    valueIn(await app.contract.ask('node.list', { cluster }))
    valueIn(await app.contract.ask('node.show', { cluster, node }))
    valueIn(await app.contract.ask('view.open', { cluster }))
  })
  const may = granted('viewer', 'ceph')
  expect(asked.length).toBeGreaterThan(3)
  expect(asked.filter(each => !may.has(each))).toEqual([])
})

test.each(NODES)('the roles in resources/rbac grant what a plan on %s asks for', async (cluster, node) => {
  const asked = await askedBy(async () => {
    valueIn(await app.contract.ask('plan.make', { cluster, node, kind: 'enter', choices: {} }))
  })
  const may = granted('operator', 'ceph')
  expect(asked).toContain('list leases.coordination.k8s.io')
  expect(asked.filter(each => !may.has(each))).toEqual([])
})
