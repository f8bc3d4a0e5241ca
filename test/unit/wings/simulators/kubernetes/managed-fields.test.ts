import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import { at, type JsonObject, listAt, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import type { ApiClient } from '../../../../fixtures/demo-kubernetes/api-client.ts'
import { simulatorForEach } from '../../../../fixtures/demo-kubernetes/simulator-for-each.ts'

const NODE = '/api/v1/nodes/cmp-1'
const HOUR_MS = 3_600_000
let client: ApiClient
let later = 0

beforeEach(() => {
  later = 0
})

simulatorForEach(
  (_, started) => {
    client = started
  },
  { clock: { ...systemClock, now: () => systemClock.now() + later } },
)

const patch = (manager: string, body: JsonObject) =>
  client.patch(`${NODE}?fieldManager=${manager}`, 'strategic-merge-patch', body)
const cordon = (manager: string, unschedulable: true | null = true) => patch(manager, { spec: { unschedulable } })

async function entries() {
  return listAt((await client.get(NODE)).body, 'metadata', 'managedFields')
}
/** The managers that hold the cordon. */
async function holders() {
  return (await entries())
    .filter(entry => at(entry, 'fieldsV1', 'f:spec', 'f:unschedulable') !== undefined)
    .map(entry => textAt(entry, 'manager'))
}
const timeOf = async (manager: string) =>
  textAt(
    (await entries()).find(entry => textAt(entry, 'manager') === manager),
    'time',
  )

describe('a field of a node', () => {
  test('belongs to the manager that set its current value', async () => {
    await cordon('one')
    expect(await holders()).toEqual(['one'])
  })

  test('does not change hands where another one writes what is there already', async () => {
    await cordon('one')
    await cordon('two')
    expect(await holders()).toEqual(['one'])
  })

  test('is nobody’s once it is gone, and the next one’s who sets it', async () => {
    await cordon('one')
    await cordon('two', null)
    expect(await holders()).toEqual([])
    await cordon('three')
    expect(await holders()).toEqual(['three'])
  })

  test('moves to the manager that changes it', async () => {
    await patch('one', { metadata: { annotations: { note: 'a' } } })
    await patch('two', { metadata: { annotations: { note: 'b' } } })
    const noted = (await entries()).filter(
      entry => at(entry, 'fieldsV1', 'f:metadata', 'f:annotations', 'f:note') !== undefined,
    )
    expect(noted.map(entry => textAt(entry, 'manager'))).toEqual(['two'])
  })
})

describe('the time of a manager', () => {
  test('is that of its last write that set something, of whatever field', async () => {
    await cordon('one')
    const first = await timeOf('one')
    later = HOUR_MS
    await patch('one', { metadata: { annotations: { note: 'a' } } })
    const second = await timeOf('one')
    expect(Date.parse(String(second)) - Date.parse(String(first))).toBeGreaterThanOrEqual(HOUR_MS)
    later = 2 * HOUR_MS
    await cordon('one', null)
    expect(await timeOf('one')).toBe(second)
  })
})

test('a user agent names the manager where the request does not', async () => {
  const body = { spec: { unschedulable: true } }
  const headers = { 'content-type': 'application/merge-patch+json', 'user-agent': 'kubectl/v1.36.0 (linux/amd64)' }
  await client.send('PATCH', NODE, body, headers)
  expect(await holders()).toEqual(['kubectl'])
})

test('managedFields of nothing take them all away, and nobody is noted from then on', async () => {
  await cordon('one')
  await client.patch(NODE, 'merge-patch', { metadata: { managedFields: [{}] } })
  expect(await entries()).toEqual([])
  await cordon('two', null)
  await cordon('two')
  expect(await entries()).toEqual([])
})
