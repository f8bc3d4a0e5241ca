import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { request as ask } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calendarAnswers } from '../../../main/faces/serve/calendar-answer.ts'
import { type ServedConsole, serveConsole } from '../../../main/faces/serve/serve-console.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { openCalendarFeed } from '../../../main/platform/settings/calendar-feed.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { createFakeContract } from '../../fixtures/cli/fake-contract.ts'
import { sampleWindow } from '../../fixtures/cli/sample-window.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

let directory: string
let served: ServedConsole | null = null
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-feed-'))
})
afterEach(async () => {
  await served?.stop()
  served = null
  rmSync(directory, { recursive: true, force: true })
})

async function serve(isReadable = () => true) {
  const { contract, asked } = createFakeContract({
    'window.list': () => (isReadable() ? ok([sampleWindow()]) : failed(failure('damaged', 'not now'))),
  })
  const feed = openCalendarFeed(directory)
  const calendar = calendarAnswers(feed, contract, systemClock, silentLogger)
  served = valueIn(await serveConsole({ contract, directory, port: 0, alsoCalled: [], calendar, log: silentLogger }))
  return { port: served.port, feed, asked }
}

/** What is answered at a path. */
function answered(port: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    ask({ port, path, headers }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', text }),
      )
    })
      .on('error', reject)
      .end()
  })
}

test('a calendar with the secret reads the windows, and without the key of a tab nothing else', async () => {
  const { port, feed, asked } = await serve()
  const secret = valueIn(feed.renew())
  const calendar = await answered(port, `/calendar/${secret}.ics`)
  expect(calendar).toMatchObject({ status: 200, type: 'text/calendar; charset=utf-8' })
  expect(calendar.text).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*UID:window0001@lockkeeper\r\n/)
  expect(asked.map(({ name }) => name)).toEqual(['window.list'])
  expect(
    (await answered(port, `/calendar/${secret}.ics`, { upgrade: 'websocket', connection: 'Upgrade' })).status,
  ).toBe(403)
})

test('nobody gets an answer before the feed exists, with a wrong or an older secret, or after its end', async () => {
  const { port, feed, asked } = await serve()
  const wrong = 'A'.repeat(43)
  const statusOf = async (secret: string) => (await answered(port, `/calendar/${secret}.ics`)).status
  expect(await statusOf(wrong)).toBe(403)
  const first = valueIn(feed.renew())
  expect(await statusOf(first)).toBe(200)
  const second = valueIn(feed.renew())
  expect(await statusOf(first)).toBe(403)
  expect(await statusOf(wrong)).toBe(403)
  valueIn(feed.stop())
  expect(await statusOf(second)).toBe(403)
  expect(asked).toHaveLength(1)
})

test('another host name and another page are refused with the secret too', async () => {
  const { port, feed } = await serve()
  const path = `/calendar/${valueIn(feed.renew())}.ics`
  expect((await answered(port, path, { host: 'evil.example' })).status).toBe(403)
  expect((await answered(port, path, { origin: 'http://evil.example' })).status).toBe(403)
  expect((await answered(port, path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('unreadable windows are not an empty calendar', async () => {
  const { port, feed } = await serve(() => false)
  expect(await answered(port, `/calendar/${valueIn(feed.renew())}.ics`)).toMatchObject({
    status: 503,
    type: 'text/plain; charset=utf-8',
  })
})

test('a secret that others may read is not a wrong address: the calendar keeps what it has', async () => {
  const { port, feed } = await serve()
  const secret = valueIn(feed.renew())
  chmodSync(join(directory, 'calendar-feed'), 0o644)
  expect(await answered(port, `/calendar/${secret}.ics`)).toMatchObject({ status: 503 })
})

test('the secret is kept for this user only, and one that others may read does not count', () => {
  const feed = openCalendarFeed(directory)
  expect(feed.secret()).toEqual(ok(null))
  const secret = valueIn(feed.renew())
  expect(statSync(join(directory, 'calendar-feed')).mode & 0o777).toBe(0o600)
  expect(openCalendarFeed(directory).secret()).toEqual(ok(secret))
  chmodSync(join(directory, 'calendar-feed'), 0o644)
  expect(feed.secret().ok).toBe(false)
})
