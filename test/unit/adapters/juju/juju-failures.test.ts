import { expect, test } from 'vitest'
import { refusedFailure } from '../../../../main/adapters/juju/juju-failures.ts'
import { call } from '../../../../shared/words/reasons.ts'

test.each([
  ['permission denied', 'not-permitted'],
  ['application "etcd" not found', 'not-found'],
  ['unknown model: "0f"', 'not-found'],
  ['action "fly" not defined on unit "microceph/0"', 'bad-input'],
  ['the operation has been blocked', 'conflict'],
  ['too many requests, try again later', 'throttled'],
  ['mongo: no reachable servers', 'server-fault'],
])('"%s" of Juju is %s, in its own words', (text, code) => {
  const reported = refusedFailure(
    'unit/microceph/0',
    call('RunJujuAction', { action: 'fly', unit: 'microceph/0' }),
    text,
  )
  expect(reported).toMatchObject({ code, target: 'unit/microceph/0' })
  expect(reported.message).toContain(`Could not run fly on microceph/0: Juju says "${text}".`)
})
