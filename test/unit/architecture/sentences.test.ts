import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')

/** Rooms that return codes with values; shared/words has their texts. */
const ROOMS = [
  'main/adapters',
  'main/api',
  'main/wings/runner/attach',
  'main/platform/clock',
  'main/clusters',
  'main/compose',
  'main/compose/doctor',
  'main/platform/files',
  'main/journal',
  'main/lcm',
  'main/platform/print',
  'main/procedures',
  'main/wings/runner',
  'main/runs',
  'main/platform/settings',
  'main/wings/notify',
  'main/clusters/view',
  'main/windows',
  'shared/domain',
  'shared/wings/*/domain',
]

/** How many texts for people each file still writes. Entries are only removed. */
const STILL: Readonly<Record<string, number>> = {
  'main/compose/terminal/index.ts': 1,
  'main/wings/notify/prometheus/prometheus-port.ts': 1,
  'main/journal/run-reader.ts': 1,
  'main/procedures/answers.ts': 1,
  'main/procedures/plans/rolling/check-options.ts': 1,
  'main/procedures/steps/compute/bring-home.ts': 1,
  'main/procedures/steps/compute/compute-returns.ts': 1,
  'main/procedures/steps/compute/destinations-exist.ts': 3,
  'main/procedures/steps/compute/prove-instances.ts': 3,
  'main/procedures/steps/control/enable-ovn.ts': 2,
  'main/procedures/steps/general/machine-outside.ts': 1,
  'main/procedures/steps/general/node-lease.ts': 1,
  'main/procedures/steps/general/out-of-service-taint.ts': 2,
  'main/procedures/steps/general/replicas-redundancy.ts': 1,
  'main/procedures/steps/general/take-back-taint.ts': 1,
  'main/procedures/steps/requests/lock-limits-allow.ts': 1,
  'main/procedures/steps/requests/maintenance-api-ready.ts': 1,
  'main/procedures/steps/requests/no-other-driver.ts': 1,
  'main/procedures/steps/requests/node-maintenance.ts': 1,
  'main/procedures/steps/storage/set-noout.ts': 2,
  'main/procedures/steps/storage/unset-noout.ts': 1,
  'main/wings/notify/silence-record.ts': 1,
  'shared/wings/runner/domain/admission-proofs.ts': 3,
  'shared/domain/agents-of-node.ts': 1,
  'shared/domain/application-update.ts': 1,
  'shared/domain/cluster.ts': 1,
  'shared/domain/command-work.ts': 1,
  'shared/domain/disabled-reason.ts': 2,
  'shared/domain/earlier-texts.ts': 3,
  'shared/domain/lock-message.ts': 2,
  'shared/domain/mail.ts': 2,
  'shared/domain/maintenance-api.ts': 1,
  'shared/domain/maintenance-campaign.ts': 2,
  'shared/domain/maintenance-run.ts': 1,
  'shared/domain/signals.ts': 1,
  'shared/domain/version-evidence.ts': 1,
}

test('procedures and rules return codes with values and write no text for people, except for the number listed here', () => {
  const found = Object.fromEntries(
    // Manifests are objects of Kubernetes, with descriptions in English. The process of a runner is a face: it answers a kubelet and Prometheus. So are the commands of a wing.
    ROOMS.flatMap(room =>
      globSync(`${room}/**/*.ts`, {
        cwd: HOUSE,
        exclude: ['main/wings/runner/{manifests,process}/**', 'main/wings/*/cli/**'],
      }),
    )
      .toSorted()
      .flatMap(file => {
        const { length } = sentencesOf(file, readFileSync(join(HOUSE, file), 'utf8'))
        return length === 0 ? [] : [[file, length] as const]
      }),
  )
  expect(found).toEqual(STILL)
})

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code that is quoted
  ['const text = `${node} could not be read: ${cause}`', true],
  ["const left = { why: 'the answer was lost' }", true],
  ["title('Drain it.')", true],
  ["evidence('control nodes', at, {})", false],
  ["found('ControlQuorumStays', quorum)", false],
  ["prepare('SELECT seq, at, body FROM edits WHERE seq > ? ORDER BY seq')", false],
  ["const where = 'cluster = ? AND at >= ? AND at <= ?'", false],
  ["const COLUMNS = 'seq, source, source_seq AS sourceSeq, digest'", false],
  ["const Name = z.string().describe('The cloud, by the name that the runner knows.')", false],
  ["why('Selected by hand, and not created.')", true],
  ["throw new Error('Broken invariant: every step has a node')", false],
  ["must(node, 'compute steps are planned only where there is a cloud')", false],
] as const)('%s has these texts: %s', (code, is) => {
  expect(sentencesOf('main/a.ts', code).length > 0).toBe(is)
})
