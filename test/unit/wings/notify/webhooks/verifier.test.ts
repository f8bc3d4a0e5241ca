import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import { bodyOf, signatureOf } from '../../../../../main/wings/notify/webhooks/webhook-bodies.ts'
import { sampleNews } from '../../../../fixtures/signals/sample-news.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../../../../docs/signals.md'), 'utf8')
const VERIFIER = /```python\n(?<code>[\s\S]*?)```/.exec(PAGE)?.groups?.code ?? ''
const KEY = 'a-key-of-the-test-0123456789'
const BODY = bodyOf('json', sampleNews())

/** What the verifier of docs/signals.md says at the instant `now` of messages that come to one receiver, one after the other. */
function verified(
  now: number,
  messages: readonly { readonly header: string; readonly body: string; readonly key: string }[],
) {
  const driver = `import sys\ntime.time = lambda: ${now / 1000}\nseen = set()\nfor m in json.load(sys.stdin): print(verify(m["header"], m["body"].encode(), m["key"], seen))\n`
  const ran = spawnSync('python3', ['-c', `${VERIFIER}\n${driver}`], {
    input: JSON.stringify(messages),
    encoding: 'utf8',
  })
  return { words: ran.stdout.trim().split('\n'), reported: ran.stderr }
}

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('the verifier of docs/signals.md works as written there, on what Lockkeeper signs', () => {
  const now = systemClock.now()
  const header = signatureOf(KEY, BODY, now)
  const messages = [
    { header, body: `${BODY} `, key: KEY, is: 'refused' },
    { header, body: BODY, key: `${KEY}x`, is: 'refused' },
    { header: signatureOf(KEY, BODY, now - 301_000), body: BODY, key: KEY, is: 'refused' },
    { header: signatureOf(KEY, BODY, now + 302_000), body: BODY, key: KEY, is: 'refused' },
    { header: header.replace('t=', 't=1'), body: BODY, key: KEY, is: 'refused' },
    { header: 'no signature', body: BODY, key: KEY, is: 'refused' },
    { header: '', body: BODY, key: KEY, is: 'refused' },
    { header, body: BODY, key: KEY, is: 'new' },
    { header, body: BODY, key: KEY, is: 'repeated' },
  ]
  expect(verified(now, messages)).toEqual({ words: messages.map(({ is }) => is), reported: '' })
})
