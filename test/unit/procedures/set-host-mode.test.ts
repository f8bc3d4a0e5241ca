import { describe, expect, test } from 'vitest'
import { setHostMode } from '../../../main/procedures/edits/set-host-mode.ts'
import { failure } from '../../../shared/domain/failure.ts'
import {
  ATTEMPTS_ANNOTATION as ATTEMPTS,
  HOST_MODE_ANNOTATION as MODE,
} from '../../../shared/domain/instance-policy.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { fakeNode, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

function nodeWith(annotations: Readonly<Record<string, string>>) {
  const world = fakeWorld({ nodes: [fakeNode('cmp-1', { annotations: { ...annotations, 'team/note': 'ours' } })] })
  return { world, kubernetes: world.port.kubernetes }
}

describe('setting the mode of a host', () => {
  test('writes exactly what changes, in one patch, and answers what the node says then', async () => {
    const { world, kubernetes } = nodeWith({ [MODE]: 'live' })
    expect(await setHostMode(kubernetes, 'cmp-1', { mode: 'manual', attempts: 5 })).toMatchObject({
      kind: 'asked',
      before: { mode: 'live', attempts: null },
      after: ok({ mode: 'manual', attempts: '5' }),
    })
    expect(world.asked).toEqual([`annotate cmp-1 ${JSON.stringify({ [MODE]: 'manual', [ATTEMPTS]: '5' })}`])
    expect(world.nodes[0]?.annotations).toEqual({ [MODE]: 'manual', [ATTEMPTS]: '5', 'team/note': 'ours' })
  })

  test('null removes an annotation, and what is not given stays', async () => {
    const { world, kubernetes } = nodeWith({ [MODE]: 'skip', [ATTEMPTS]: '4' })
    await setHostMode(kubernetes, 'cmp-1', { mode: null })
    expect(world.nodes[0]?.annotations).toEqual({ [ATTEMPTS]: '4', 'team/note': 'ours' })
  })

  test('restores a value that Lockkeeper does not know', async () => {
    const { world, kubernetes } = nodeWith({ [MODE]: 'manual' })
    await setHostMode(kubernetes, 'cmp-1', { restore: { mode: 'live+cold', attempts: 'many' } })
    expect(world.nodes[0]?.annotations).toMatchObject({ [MODE]: 'live+cold', [ATTEMPTS]: 'many' })
  })

  test('asks for nothing where it is so already', async () => {
    const { world, kubernetes } = nodeWith({ [MODE]: 'manual' })
    expect(await setHostMode(kubernetes, 'cmp-1', { mode: 'manual', attempts: null })).toMatchObject({ kind: 'same' })
    expect(world.asked).toEqual([])
  })

  test('a node that is not there is not found', async () => {
    const { kubernetes } = nodeWith({})
    expect(await setHostMode(kubernetes, 'cmp-9', { mode: 'live' })).toMatchObject({ kind: 'unread' })
  })

  test('reports a refusal, the requested value, and the earlier one', async () => {
    const { kubernetes } = nodeWith({ [MODE]: 'live' })
    const refusal = failed(failure('not-permitted', 'patch nodes is not allowed'))
    const port = { ...kubernetes, annotateNode: async () => refusal }
    expect(await setHostMode(port, 'cmp-1', { mode: 'skip' })).toEqual({
      kind: 'asked',
      before: { mode: 'live', attempts: null },
      wanted: { mode: 'skip', attempts: null },
      after: refusal,
    })
  })

  test('says so when the node says something else afterwards', async () => {
    const { kubernetes } = nodeWith({ [MODE]: 'live' })
    const port = { ...kubernetes, annotateNode: async () => ok(undefined) }
    const outcome = await setHostMode(port, 'cmp-1', { mode: 'skip' })
    expect(outcome.kind === 'asked' && !outcome.after.ok && outcome.after.failure.message).toContain(
      'cmp-1 has mode live, attempts not set now',
    )
  })
})
