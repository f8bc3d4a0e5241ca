import { createHmac, timingSafeEqual } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import { createWebhookPort } from '../../../../../main/wings/notify/webhooks/webhook-port.ts'
import type { WebhookForm } from '../../../../../shared/domain/signals.ts'
import { type ReceiverAnswer, startReceiver } from '../../../../fixtures/signals/receiver.ts'
import { sampleNews } from '../../../../fixtures/signals/sample-news.ts'

const KEY = 'a-key-of-the-test-0123456789'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function receiver(answer: ReceiverAnswer | 'hang' | 'break') {
  const started = await startReceiver(() => answer)
  closing.push(started.stop)
  return started
}

const port = createWebhookPort({ clock: systemClock, version: '1.2.3', environment: {} })
const send = (url: string, form: WebhookForm = 'json', more = {}) =>
  port.send({ form, url, key: form === 'json' ? KEY : null, news: sampleNews(more) })

/** What docs/signals.md tells a receiver to do. */
function verify(header: string, body: string, key: string, nowMs: number): boolean {
  const parts = new Map(header.split(',').map(part => part.split('=') as [string, string]))
  const t = Number(parts.get('t'))
  if (!(Math.abs(nowMs / 1000 - t) <= 300)) return false
  const own = createHmac('sha256', key).update(`${t}.${body}`).digest()
  const theirs = Buffer.from(parts.get('v1') ?? '', 'hex')
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}

describe('a message of form json', () => {
  test('is signed so that its receiver can verify it, and refuse a changed one, another key and an old one', async () => {
    const { url, received } = await receiver({ status: 204 })
    expect(await send(`${url}/in?token=hidden`)).toEqual({ kind: 'arrived', status: 204 })
    const [one] = received
    if (one === undefined) throw new Error('nothing came')
    expect(one).toMatchObject({ method: 'POST', path: '/in?token=hidden' })
    expect(one.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'lockkeeper/1.2.3',
      'lockkeeper-event': 'started',
      'lockkeeper-id': 'run-1.started',
    })
    expect(JSON.parse(one.body)).toEqual({ version: 1, ...sampleNews() })
    const header = String(one.headers['lockkeeper-signature'])
    expect(verify(header, one.body, KEY, systemClock.now())).toBe(true)
    expect(verify(header, `${one.body} `, KEY, systemClock.now())).toBe(false)
    expect(verify(header, one.body, `${KEY}x`, systemClock.now())).toBe(false)
    expect(verify(header, one.body, KEY, systemClock.now() + 301_000)).toBe(false)
    expect(
      verify(
        header.replace(/^t=\d+/, t => `t=${Number(t.slice(2)) + 1}`),
        one.body,
        KEY,
        systemClock.now(),
      ),
    ).toBe(false)
  })
})

describe('the forms of chats', () => {
  test('Slack gets blocks and a text, in which names are escaped', async () => {
    const { url, received } = await receiver({ status: 200, body: 'ok' })
    await send(url, 'slack', { title: 'Maintenance of <!channel> & *all*', text: 'a <b>' })
    expect(received[0]?.headers['lockkeeper-signature']).toBeUndefined()
    const body = JSON.parse(received[0]?.body ?? '')
    expect(body.text).toBe('Maintenance of &lt;!channel&gt; &amp; ∗all∗')
    expect(body.blocks[1]).toEqual({ type: 'section', text: { type: 'plain_text', text: 'a <b>', emoji: false } })
  })

  test('Teams gets an Adaptive Card of runs of text, which know no markup', async () => {
    const { url, received } = await receiver({ status: 202 })
    expect(await send(url, 'teams', { text: '[x](https://example.org)' })).toEqual({ kind: 'arrived', status: 202 })
    const [attachment] = JSON.parse(received[0]?.body ?? '').attachments
    expect(attachment.contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect(attachment.content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
    expect(attachment.content.body[1]).toEqual({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text: '[x](https://example.org)' }],
    })
  })

  test('an empty or endless text becomes one that they accept', async () => {
    const { url, received } = await receiver({ status: 200 })
    await send(url, 'slack', { text: ' ' })
    await send(url, 'slack', { text: 'x'.repeat(9_000) })
    expect(JSON.parse(received[0]?.body ?? '').blocks[1].text.text).toBe('-')
    expect(JSON.parse(received[1]?.body ?? '').blocks[1].text.text.length).toBeLessThan(3_000)
  })

  test('what embedded clouds tell says so', async () => {
    const { url, received } = await receiver({ status: 200 })
    await send(url, 'slack', { demo: true })
    expect(JSON.parse(received[0]?.body ?? '').text).toMatch(/^Demo, nothing here is real: /)
  })
})

describe('what an answer means', () => {
  test.each([
    [{ status: 500 }, { kind: 'passing', status: 500, code: 'ReceiverFails', retryAfterMs: null }],
    [
      { status: 503, headers: { 'retry-after': '7' } },
      { kind: 'passing', status: 503, retryAfterMs: 7_000 },
    ],
    [
      { status: 429, headers: { 'retry-after': '30' } },
      { kind: 'passing', status: 429, code: 'ReceiverBusy', retryAfterMs: 30_000 },
    ],
    [{ status: 400 }, { kind: 'refused', status: 400, code: 'ReceiverRefuses' }],
    [{ status: 401 }, { kind: 'refused', status: 401, code: 'ReceiverRefusesSignature' }],
    [{ status: 404 }, { kind: 'refused', status: 404, code: 'NoWebhookAtAddress' }],
    [
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { kind: 'refused', status: 302, code: 'ReceiverPointsElsewhere' },
    ],
    ['break', { kind: 'passing', status: null, values: { fault: { code: 'ConnectionBroke' } } }],
  ] as const)('%o', async (answer, expected) => {
    const { url } = await receiver(answer)
    expect(await send(url)).toMatchObject(expected)
  })

  test('nobody there may pass, and no word of it has the address', async () => {
    const { url, stop } = await receiver({ status: 200 })
    await stop()
    const answer = await send(`${url}/the-secret-path`)
    expect(answer).toMatchObject({ kind: 'passing', status: null })
    expect(JSON.stringify(answer)).not.toContain('the-secret-path')
  })
})
