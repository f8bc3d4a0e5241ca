import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createReportPages } from '../../../main/faces/serve/report-pages.ts'
import { type ServedConsole, serveConsole } from '../../../main/faces/serve/serve-console.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { createFakeContract } from '../../fixtures/cli/fake-contract.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

const HTML = '<!doctype html><title>Report</title>'

function reporting(isReadable = () => true) {
  return createFakeContract({
    'report.make': () =>
      isReadable()
        ? ok({ name: 'r.html', mediaType: 'text/html', encoding: 'utf8', content: HTML, hash: 'h' })
        : failed(failure('damaged', 'not now')),
  })
}

describe('a report in a tab', () => {
  let directory: string
  let served: ServedConsole
  let key: string
  let isReadable = true
  let asked: ReturnType<typeof reporting>['asked']
  const at = (path: string) => `http://127.0.0.1:${served.port}${path}`
  const ours = () => ({ origin: at(''), authorization: `Bearer ${key}` })

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'lockkeeper-report-'))
    isReadable = true
    const fake = reporting(() => isReadable)
    asked = fake.asked
    served = valueIn(
      await serveConsole({ contract: fake.contract, directory, port: 0, alsoCalled: [], log: silentLogger }),
    )
    const token = new URL(served.freshAddress()).searchParams.get('token')
    const headers = { origin: at(''), authorization: `Bearer ${token}` }
    key = (await (await fetch(at('/enter'), { method: 'POST', headers })).json()).key
  })
  afterEach(async () => {
    await served.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const open = async (headers: Record<string, string>, query = 'kind=run&id=r1&redact=yes') =>
    await fetch(at(`/report?${query}`), { method: 'POST', headers })

  test('is served at a secret address, without the key, under a policy that runs and loads nothing', async () => {
    const { value } = await (await open(ours())).json()
    expect(value.path).toMatch(/^\/report\/[\w-]{43}$/)
    const page = await fetch(at(value.path))
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).not.toMatch(/script-src|connect-src|'self'/)
    expect(await page.text()).toBe(HTML)
    expect(asked).toEqual([
      {
        name: 'report.make',
        input: { subject: { kind: 'run', id: 'r1' }, format: 'html', table: 'instances', redact: true },
      },
    ])
  })

  test.each([
    ['without the key of a tab', () => ({ origin: at('') })],
    ['with a wrong key', () => ({ ...ours(), authorization: 'Bearer abc' })],
    ['from another page', () => ({ ...ours(), origin: 'http://evil.example' })],
    ['from no page', () => ({ authorization: `Bearer ${key}` })],
  ])('is not made %s', async (_, headers) => {
    expect((await open(headers())).status).toBe(403)
    expect(asked).toEqual([])
  })

  test('is not shown for a wrong secret, nor to another page', async () => {
    const { value } = await (await open(ours())).json()
    const wrong = await fetch(at(`/report/${'A'.repeat(43)}`))
    expect({ status: wrong.status, hasReport: (await wrong.text()).includes(HTML) }).toEqual({
      status: 403,
      hasReport: false,
    })
    expect((await fetch(at(value.path), { headers: { origin: 'http://evil.example' } })).status).toBe(403)
    expect((await fetch(at(value.path), { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  })

  test('says why there is none', async () => {
    isReadable = false
    expect(await (await open(ours())).json()).toMatchObject({ ok: false, failure: { message: 'not now' } })
    expect(await (await open(ours(), 'kind=cloud&id=r1')).json()).toMatchObject({
      ok: false,
      failure: { code: 'bad-input' },
    })
  })
})

test('an address lasts ten minutes, and only the four newest do', async () => {
  let now = 0
  const pages = createReportPages(reporting().contract, () => now)
  const opened = async () =>
    valueIn(await pages.open(new URLSearchParams({ kind: 'run', id: 'r1' }))).path.slice('/report/'.length)
  const first = await opened()
  expect(pages.pageOf(first)).toBe(HTML)
  now = 10 * 60_000 - 1
  expect(pages.pageOf(first)).toBe(HTML)
  now += 1
  expect(pages.pageOf(first)).toBeNull()
  const second = await opened()
  for (let more = 0; more < 3; more += 1) await opened()
  expect(pages.pageOf(second)).toBe(HTML)
  await opened()
  expect(pages.pageOf(second)).toBeNull()
})
