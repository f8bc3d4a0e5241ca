import { describe, expect, it } from 'vitest'
import { requests } from '../../../../shared/contract/index.ts'
import type { InstanceSummary, NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { OFFER } from '../../../fixtures/cli/sample-offer.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { sampleWindow } from '../../../fixtures/cli/sample-window.ts'
import { wordsOf } from '../../../fixtures/cli/scenes.ts'
import { transcript } from '../../../fixtures/cli/session.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'
import { plannedUpdate, UPDATE_OPTIONS } from '../../../fixtures/procedures/update-plan.ts'

const WINDOW = 'window create lab --title Kernel --end "2026-11-23 04:00"'
const UTC = `${WINDOW} --zone UTC --start "2026-11-22 22:00"`

/** Command lines that nobody can mean, by what they are about. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'Words that no command has': [
    'entr lab n',
    'entr lab n --yes',
    'cluster ad x',
    'cluster',
    'enter lab',
    'enter lab n m',
    'run answer r g rety',
    'host mode lab skip',
    'host mode lab cmp-1 cmp-2',
  ],
  'Flags that a command does not have, and values that a flag does not take': [
    'enter lab n --concurency 3',
    'enter lab n --dry',
    'nodes lab --scope os',
    'enter lab n -x',
    'enter lab n --force',
    'enter lab n --force --yes',
    'enter lab n --force " "',
    'enter lab n --yes=no',
    'enter lab n --concurrency 0',
    'enter lab n --concurrency 1e1',
    'enter lab n --attempts 99',
    'enter lab n --scope draim',
    'enter lab n --drain-timeout 30',
    'enter lab n --scope os --scope drain',
    '-o xml nodes lab',
    'leave sun n --stop-osds',
    'enter sun n --no-wait-for-clean',
    'enter sun n --disable-migration=warm',
    'enter sun n --disable-migration=',
  ],
  Clusters: [
    'cluster add lab',
    'cluster add lab --no-openstack --cloud x',
    'cluster add lab --no-openstack --role-label compute',
    'cluster add lab --no-openstack --role-label hypervisor=x',
    'cluster add lab --no-openstack --return-timeout 0',
    'cluster set lab',
    'cluster set lab --controller nova=console',
    'cluster set lab --respect-zone --no-respect-zone',
    'cluster set lab --vrouter-pods tf',
    'cluster set lab --blocked-after 0',
    'cluster set lab --production --no-production',
    'cluster set lab --return-timeout 0',
    'cluster set lab --role-label compute',
    'cluster set lab --colour puce',
  ],
  'Maintenance of a node': [
    'leave lab cmp-1',
    'enter sun n --strategy nova --backup-node x --yes',
    'enter sun n --cold-migration --disable-migration --yes',
    'enter sun n --scope drain --disable-migration=live --yes',
    'enter lab cmp-1 --yes --answer rebalance=skip',
    'enter lab cmp-1 --yes --answer drain-node=continue',
    'enter lab cmp-1 --yes --answer drain-node',
    'enter lab cmp-1 --yes --answer drain-node=retry --answer drain-node=skip',
    'requests create lab cmp-1 --yes',
    'requests remove lab ghost --yes',
    'requests remove lab ghost --reason x',
  ],
  'Runs in the cluster': [
    'enter lab cmp-1 --yes --campaign night',
    'enter lab cmp-1 --yes --start-after 2026-11-25T22:00Z',
    'enter lab cmp-1 --yes --resume-policy never',
    'enter lab cmp-1 --yes --in-cluster --not-after tomorrow',
    'enter lab cmp-1 --yes --in-cluster --not-after "2026-11-25 22:00"',
    'enter lab cmp-1 --yes --in-cluster --start-after 2026-11-25T22:00Z --not-after 2026-11-25T22:00+01:00',
    'runner campaign create lab night',
    'runner campaign create lab night --batch a,,b',
    'runner campaign abort lab night',
    'run abort 0f3a',
    'run hand-over 0f3a',
  ],
  'Modes of hosts and instances': [
    'host attempts lab cmp-1 0',
    'host attempts lab cmp-1 21',
    'host attempts lab cmp-1 many',
    'host attempts lab cmp-1 1.5',
    'host attempts lab ctl-1 5',
    'host mode lab cmp-1 ctl-1 skip',
    'instance mode lab mail live',
    'instance mode lab db web notify',
  ],
  Updates: [
    'update plan east --work reboot',
    'update plan east --work kubelet=',
    'update plan east --work job=/nowhere.yaml',
    'update plan east --group a',
    'update plan east --group a=cmp-1:0',
    'update plan east --group a=cmp-1,cmp-2,cmp-3,osd-1 --group b=*',
    'update skip lab cmp-7',
  ],
  Windows: [
    `${WINDOW} --start "2026-11-22 22:00"`,
    'window create lab --title Kernel --zone UTC --start "2026-11-22 22:00"',
    'window create lab --start "2026-11-22 22:00" --end "2026-11-23 04:00" --zone UTC',
    `${WINDOW} --zone Europe/Berlin --start "2026-03-29 02:30"`,
    `${WINDOW} --zone Europe/Berlin --start "2026-10-25 02:30"`,
    `${WINDOW} --zone Europe/Bonn --start "2026-11-22 22:00"`,
    `${UTC} --update --batch a`,
    `${UTC} --nodes a --batch b`,
    `${UTC} --scope drain`,
    `${UTC} --batch ,`,
    'window note w',
    'window note w --incident a --remark b',
    'window close w',
    'window cancel w',
    'window start w',
    'window estimate',
    'window estimate 4f1c --cluster lab',
    'window estimate --cluster lab',
    'window calendar -o json',
  ],
  'The journal, history and reports': [
    'journal accept',
    'journal prune --before 2026-01-31',
    'journal prune --before yesterday --yes',
    'journal prune --before 2026-13-01 --yes',
    'journal prune --before 2026-01-31T10:00 --yes',
    'history --from yesterday',
    'report 0f3a --format html --table instances',
    'report 0f3a --format pdf -o -',
    'report 0f3a -o json',
  ],
}
const OPTIONS = {
  ...UPDATE_OPTIONS,
  groups: [{ name: 'default', index: 1, nodes: ['cmp-1', 'cmp-2', 'cmp-3', 'osd-1'], concurrentUpdates: 1 }],
  work: { kind: 'person' },
} as const

/** A console that answers whatever only reads. */
function reader() {
  const instance = (id: string, name: string, projectId: string) => ({ id, name, projectId }) as InstanceSummary
  const node = (name: string, role: string) => ({ name, roles: [role] }) as unknown as NodeSummary
  return createFakeContract({
    'cluster.list': () => ok([fakeCluster({ name: 'lab' })]),
    'plan.make': () => ok(samplePlan()),
    'runner.offer': () => ok(OFFER),
    'run.list': () => ok([sampleSummary('waiting', { kind: 'update', node: null })]),
    'update.propose': () => ok({ options: structuredClone(OPTIONS) as never, left: [], batches: [] }),
    'update.plan': () => ok({ plan: plannedUpdate(), checkedAt: '', checks: [], startable: true }),
    'window.show': () => ok(sampleWindow()),
    'node.list': () => ok({ nodes: [node('cmp-1', 'compute'), node('ctl-1', 'control')], readAt: '', unreachable: [] }),
    'instance.list': () =>
      ok({
        instances: [instance('i-1', 'web', 'p-1'), instance('i-2', 'web', 'p-2'), instance('i-3', 'db', 'p-1')],
        projects: [{ id: 'p-1', name: 'shop' }],
        readAt: '',
        unreachable: [],
      }),
  })
}

async function refused(line: string) {
  const fake = reader()
  const terminal = createFakeTerminal({ contract: fake.contract })
  return { code: await terminal.run(...wordsOf(line)), session: terminal.session(), asked: fake.asked }
}

describe('a command line that nobody can mean', () => {
  it.each(Object.values(REFUSED).flat())('%s ends with 2, and changes nothing', async line => {
    const { code, session, asked } = await refused(line)
    expect(code, session).toBe(2)
    expect(asked.filter(({ name }) => requests[name].effect !== 'read')).toEqual([])
  })

  it('is refused in words', async () => {
    const parts: Record<string, string> = {}
    for (const [about, lines] of Object.entries(REFUSED)) {
      const sessions = await Promise.all(lines.map(async line => (await refused(line)).session))
      parts[about] = sessions.join('\n')
    }
    await expect(transcript(parts)).toMatchFileSnapshot('transcripts/refusals.txt')
  })
})
