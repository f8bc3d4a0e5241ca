import { describe, expect, test } from 'vitest'
import { osdsOkToStop } from '../../../../main/procedures/steps/storage/osds-ok-to-stop.ts'
import { setNoout } from '../../../../main/procedures/steps/storage/set-noout.ts'
import { startOsds } from '../../../../main/procedures/steps/storage/start-osds.ts'
import { stopOsds } from '../../../../main/procedures/steps/storage/stop-osds.ts'
import { countedOsds } from '../../../../main/procedures/steps/storage/storage-node.ts'
import { unsetNoout } from '../../../../main/procedures/steps/storage/unset-noout.ts'
import type { CephOsd } from '../../../../shared/domain/ceph.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import type { Pod } from '../../../../shared/domain/kubernetes.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../../shared/domain/maintenance-api.ts'
import { must } from '../../../../shared/domain/must.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { Counted } from '../../../../shared/domain/step-answers.ts'
import { fakeOsd } from '../../../fixtures/procedures/fake-records.ts'
import { fakePod } from '../../../fixtures/procedures/fake-world.ts'
import { storageWorld } from '../../../fixtures/procedures/storage-world.ts'

const NODE = 'st-1'
const NAMESPACE = DEFAULT_MAINTENANCE_API.cephNamespace
const DOWN = failure('unreachable', 'No answer.', { retryable: true })

const osd = (id: number, host: string | null): CephOsd => fakeOsd(id, host, { up: false, noout: true, hostNoout: true })
const counted = countedOsds([{ id: 0 }])
const rookPod = (name: string, app: string, nodeName: string) =>
  fakePod(name, { namespace: NAMESPACE, nodeName, labels: { app } })
const tools = rookPod('rook-ceph-tools', 'rook-ceph-tools', 'ctl-1')

interface Lie {
  /** Ceph's list of OSDs, by CRUSH host. */
  readonly listed?: readonly CephOsd[]
  readonly reported?: readonly Pick<CephOsd, 'id' | 'host'>[] | Failure
  readonly pods?: readonly Pod[] | Failure
  readonly counted?: readonly Counted[]
}

const ELSEWHERE = osd(7, 'st-2')

/** A context over a Ceph whose list of OSDs has none of the node's; `more` changes other answers. */
function context({ listed = [ELSEWHERE], reported = [ELSEWHERE], pods = [tools], counted: seen = [] }: Lie) {
  const ctx = storageWorld('rook').context({ options: { stopOsds: true } })
  const { world } = ctx
  return {
    ...ctx,
    counted: () => seen,
    world: {
      ...world,
      ceph: {
        ...world.ceph,
        osds: async () => ok(listed),
        osdsReported: async () => ('code' in reported ? failed(reported) : ok(reported)),
      },
      kubernetes: { ...world.kubernetes, listPods: async () => ('code' in pods ? failed(pods) : ok(pods)) },
    },
  }
}

const BELIEVED: readonly (readonly [string, Lie])[] = [
  ['nothing else names one there', {}],
  ['what was counted there was removed from Ceph, which has others', { counted }],
  ['what was counted there is under another host now', { counted, listed: [osd(0, 'st-2')] }],
]
const NOT_BELIEVED: readonly (readonly [string, Lie])[] = [
  ['an OSD reported to run there', { reported: [osd(0, NODE)] }],
  ['the pod of an OSD runs there', { pods: [tools, rookPod('rook-ceph-osd-0', 'rook-ceph-osd', NODE)] }],
  ['which OSDs reported to run there cannot be read', { reported: DOWN }],
  ['the pods of OSDs cannot be read', { pods: DOWN }],
  ["Rook's namespace shows no pod at all", { pods: [] }],
  ['what was counted there still reports, from nowhere', { counted, reported: [osd(0, null)] }],
  ['what was counted there is gone, and so is every other OSD', { counted, listed: [], reported: [] }],
]

const STEPS = [stopOsds, startOsds, osdsOkToStop, setNoout, unsetNoout].map(step => [step.kind, step] as const)

describe.each(STEPS)('%s, where Ceph lists no OSD of the node', (_, step) => {
  test.each(BELIEVED)('%s: the plan continues, and the check passes', async (_, lie) => {
    const ctx = context(lie)
    expect((await must(step.check, 'it has one')({ node: NODE }, ctx)).kind).toBe('done')
    if (step.verify !== undefined) expect((await step.verify({ node: NODE }, ctx)).kind).toBe('holds')
  })

  test.each(NOT_BELIEVED)('%s: the plan is blocked, whatever is forced, and nothing is verified', async (_, lie) => {
    const ctx = context(lie)
    expect(await must(step.check, 'it has one')({ node: NODE }, ctx)).toMatchObject({
      kind: 'blocked',
      blockers: [{ override: { kind: 'never' } }],
    })
    if (step.verify !== undefined) expect((await step.verify({ node: NODE }, ctx)).kind).toBe('cannot-tell')
  })

  test('its check counts the OSDs that it sees', async () => {
    const world = storageWorld('rook')
    const answer = await must(step.check, 'it has one')({ node: NODE }, world.context({ options: { stopOsds: true } }))
    expect(answer.counted).toEqual(countedOsds([{ id: 0 }, { id: 1 }]))
  })
})

describe('several CRUSH hosts that fit a node', () => {
  const up = (id: number, host: string, change: Partial<CephOsd> = {}) => fakeOsd(id, host, change)
  const FQDN = `${NODE}.example.org`
  const check = async (listed: readonly CephOsd[], reported: Lie['reported'] = listed) =>
    must(osdsOkToStop.check, 'it has one')({ node: NODE }, context({ listed, reported }))
  const codes = (answer: Awaited<ReturnType<typeof check>>) => answer.warnings.map(({ code }) => code)

  test('two that run, of OSDs that reported from two machines, block whatever is forced', async () => {
    expect(await check([up(0, NODE), up(1, FQDN)])).toMatchObject({
      kind: 'blocked',
      blockers: [
        {
          override: { kind: 'never' },
          message: expect.stringMatching(/st-1 \(OSD 0\), st-1\.example\.org \(OSD 1\)/),
        },
      ],
    })
  })

  test('two of one machine are its OSDs', async () => {
    const listed = [up(0, NODE), up(1, FQDN)]
    const answer = await check(
      listed,
      listed.map(({ id }) => ({ id, host: NODE })),
    )
    expect(answer.counted).toEqual(countedOsds(listed))
  })

  test('a dead leftover beside the host that serves is named with what removes it, and blocks nothing', async () => {
    const answer = await check([up(0, NODE, { up: false, in: false }), up(1, FQDN)])
    expect(answer.counted).toEqual(countedOsds([{ id: 1 }]))
    expect(codes(answer)).toContain('OsdsLeftOver')
    expect(answer.warnings.map(({ message }) => message).join(' ')).toMatch(/ceph osd purge 0.*ceph osd crush rm st-1`/)
    const back = await must(startOsds.check, 'it has one')(
      { node: NODE },
      context({ listed: [up(0, NODE, { up: false, in: false }), up(1, FQDN)] }),
    )
    expect(back.kind).toBe('done')
    expect(codes(back)).toContain('OsdsLeftOver')
  })
})
