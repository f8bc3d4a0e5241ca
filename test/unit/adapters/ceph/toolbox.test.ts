import { expect, test } from 'vitest'
import { cephInToolbox } from '../../../../main/adapters/ceph/toolbox.ts'
import type { PodCommand } from '../../../../main/ports/kubernetes.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { Pod } from '../../../../shared/domain/kubernetes.ts'
import { fitsSelector } from '../../../../shared/domain/label-selector.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { fakePod } from '../../../fixtures/procedures/fake-world.ts'

const TOOLS = { namespace: 'rook-ceph', labels: { app: 'rook-ceph-tools' } }

function toolbox(pods: () => readonly Pod[]) {
  const ran: PodCommand[] = []
  let looked = 0
  const run = cephInToolbox({
    namespace: 'rook-ceph',
    selector: 'app=rook-ceph-tools',
    kubernetes: {
      listPods: async namespace => {
        looked += 1
        return ok(pods().filter(pod => pod.namespace === namespace))
      },
    },
    exec: async command => {
      if (!pods().some(pod => pod.name === command.pod)) return failed(failure('not-found', `No pod ${command.pod}.`))
      ran.push(command)
      return ok({ exitCode: 0, stdout: command.pod, stderr: '' })
    },
  })
  return { run, ran, looked: () => looked }
}

test('ceph is run in the toolbox pod, with JSON output, and the pod is searched once', async () => {
  const { run, ran, looked } = toolbox(() => [fakePod('other', { namespace: 'rook-ceph' }), fakePod('tools', TOOLS)])
  await Promise.all([run(['osd', 'tree']), run(['status'])])
  expect(ran.map(({ pod, command }) => [pod, command.join(' ')])).toEqual([
    ['tools', 'ceph --connect-timeout 10 osd tree --format json'],
    ['tools', 'ceph --connect-timeout 10 status --format json'],
  ])
  expect(looked()).toBe(1)
})

test('a pod that is not ready, ends, or has ended is passed over', async () => {
  const { run } = toolbox(() => [
    fakePod('starting', { ...TOOLS, ready: false }),
    fakePod('leaving', { ...TOOLS, deletionAt: '2026-01-01T00:00:00Z' }),
    fakePod('done', { ...TOOLS, phase: 'Succeeded' }),
    fakePod('good', TOOLS),
  ])
  expect(await run(['status'])).toMatchObject({ ok: true, value: { stdout: 'good' } })
})

test('when the pod moved with its node, the new one is found in the same question', async () => {
  let pods = [fakePod('first', TOOLS)]
  const { run } = toolbox(() => pods)
  await run(['status'])
  pods = [fakePod('second', TOOLS)]
  expect(await run(['status'])).toMatchObject({ ok: true, value: { stdout: 'second' } })
})

test('without a toolbox the failure names the selector and the namespace', async () => {
  const { run } = toolbox(() => [fakePod('starting', { ...TOOLS, ready: false })])
  const answer = await run(['status'])
  // One that is not ready is there: Ceph cannot be asked, which is not that there is none.
  expect(answer).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  expect(answer.ok ? '' : answer.failure.message).toMatch(
    /no toolbox pod with labels app=rook-ceph-tools in namespace rook-ceph is ready \(starting is not ready\)/,
  )
})

test('selectors are read as kubectl reads equalities and presence; an empty one fits nothing', () => {
  const labels = { app: 'tools', tier: 'a' }
  expect(fitsSelector(labels, 'app=tools')).toBe(true)
  expect(fitsSelector(labels, 'app==tools, tier=a')).toBe(true)
  expect(fitsSelector(labels, 'app=tools,tier=b')).toBe(false)
  expect(fitsSelector(labels, 'tier!=b,app')).toBe(true)
  expect(fitsSelector(labels, '!app')).toBe(false)
  expect(fitsSelector(labels, '')).toBe(false)
})

test('a cluster that never had a toolbox has none; where one was, Ceph cannot be asked while it moves', async () => {
  let pods: readonly Pod[] = []
  const { run } = toolbox(() => pods)
  expect(await run(['status'])).toMatchObject({ ok: false, failure: { code: 'not-found' } })
  pods = [fakePod('tools', TOOLS)]
  expect(await run(['status'])).toMatchObject({ ok: true })
  pods = []
  expect(await run(['status'])).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
})
