import { expect, test } from 'vitest'
import { createRefusalLog } from '../../../../main/faces/serve/refusal-log.ts'
import type { Logger } from '../../../../main/platform/log/logger.ts'

test('who knocks again and again is logged once a second for each reason, with how many were passed over', () => {
  let now = 5000
  const logged: unknown[] = []
  const warn = (_: string, fields?: unknown) => void logged.push(fields)
  const onRefused = createRefusalLog({ warn } as unknown as Logger, () => now)
  for (let knock = 0; knock < 20; knock += 1) onRefused('foreign-host')
  onRefused('wrong-token')
  now += 999
  onRefused('foreign-host')
  now += 1
  onRefused('foreign-host')
  onRefused('foreign-host')
  expect(logged).toEqual([
    { reason: 'foreign-host', alsoRefusedSince: 0 },
    { reason: 'wrong-token', alsoRefusedSince: 0 },
    { reason: 'foreign-host', alsoRefusedSince: 20 },
  ])
})
