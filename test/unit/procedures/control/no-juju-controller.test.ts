import { describe, expect, test } from 'vitest'
import { noJujuController } from '../../../../main/procedures/steps/control/no-juju-controller.ts'
import type { CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import { type FakeJuju, fakeJuju, UNREACHABLE } from '../../../fixtures/procedures/fake-juju.ts'
import { decision, fakeContext, fakePod, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'

const NAMESPACE = 'controller-sunbeam-controller'

async function check(
  pods: readonly Parameters<typeof fakePod>[],
  juju: FakeJuju | null = fakeJuju(),
): Promise<CheckAnswer | undefined> {
  const world = fakeWorld({ decisions: pods.map(pod => decision(fakePod(...pod))) })
  const port = { ...world.port, juju: juju?.port ?? null }
  return noJujuController.check?.({ node: 'n1' }, fakeContext(Object.assign(world, { port })))
}

const on = (nodeName: string): Parameters<typeof fakePod> => ['controller-0', { namespace: NAMESPACE, nodeName }]

describe("the node does not host Juju's controller (seed 004)", () => {
  test('it does: blocked, and no override helps', async () => {
    const answer = await check([on('n1')])
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'JujuControllerOnNode', override: { kind: 'never' } }],
    })
  })

  test('another node does: it may go, and the evidence names it', async () => {
    const answer = await check([on('n2')])
    expect(answer).toMatchObject({ kind: 'ready', reason: 'The Juju controller runs on n2.' })
  })

  test('no controller runs in this Kubernetes: not applicable, with the reason', async () => {
    expect(await check([['api', { nodeName: 'n1' }]])).toMatchObject({
      kind: 'done',
      reason: expect.stringContaining('Not applicable'),
    })
  })

  test('the model operator beside the controller may be on the node', async () => {
    const answer = await check([on('n2'), ['modeloperator-7d9f', { namespace: NAMESPACE, nodeName: 'n1' }]])
    expect(answer?.kind).toBe('ready')
  })

  test('machines of MAAS have separate controllers: not applicable', async () => {
    expect(await check([on('n1')], fakeJuju({ cloudType: 'maas' }))).toMatchObject({ kind: 'done' })
  })

  test.each([
    ['Juju does not answer', fakeJuju({ down: UNREACHABLE })],
    ['no controller is registered', null],
  ])('%s: the pod on the node still blocks', async (_why, juju) => {
    expect((await check([on('n1')], juju))?.kind).toBe('blocked')
  })
})
