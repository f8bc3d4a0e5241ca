import { describe, expect, it } from 'vitest'
import { createEventLines } from '../../../main/faces/cli/render/event-lines.ts'
import { reportCsv } from '../../../main/reports/csv.ts'
import type { StepContext } from '../../../main/runs/engine/step.ts'
import type { Json } from '../../../shared/domain/json.ts'
import {
  CLUSTER_REQUEST_CREATED,
  COMPUTE_DISABLE_REQUESTED,
  CORDON_REQUESTED,
  MICROCEPH_EXIT_REQUESTED,
  NODE_WORKED,
  NOOUT_NOTED,
  NOOUT_SET_REQUESTED,
  OSDS_STOP_REQUESTED,
  OVN_ENABLE_REQUESTED,
  RUN_FACTS,
  TRANSIENT_RECOVERED,
  WATCHER_LEFT,
  WORK_JOB_FAILED,
  WORK_JOB_REQUESTED,
} from '../../../shared/domain/run-facts.ts'
import { factLine, factSaying, factSentence } from '../../../shared/words/facts.ts'
import { eventLine } from '../../../shared/words/run-events.ts'
import { pipeLook } from '../../fixtures/cli/looks.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { reportOf } from '../../fixtures/reports/reported-run.ts'

/** A value of each name that any fact tells. */
const VALUES: Record<string, Json> = {
  ...{
    name: 'cmp-1',
    attempt: 2,
    why: 'no valid host',
    how: 'live',
    migrationStatus: 'running',
    memoryTotal: 4,
    memoryRemaining: 1,
  },
  ...{ to: 'cmp-2', status: 'ACTIVE', host: 'cmp-2', remedy: 'Abort it.', sentence: 'The budget db needs 3.' },
  ...{ by: 'its finalizer example.com/backup' },
  ...{ what: 'it is NotReady', reason: 'Nova is busy', passed: true, leftMs: 300_000 },
  ...{ since: '2026-11-21T10:00:00.000Z', until: '2026-11-21T10:05:00.000Z' },
  ...{ state: 'active', kind: 'progress', message: 'Starting', scope: 'drain', choice: 'retry' },
  ...{ auditUuid: '9d20', actions: 3, type: 'migrate', succeeded: 3, skipped: 0, failed: 0, notRun: 0 },
  ...{ service: 'switch', osds: [1, 4], needed: true, reach: 'host', namespace: 'ops', job: 'work-1' },
  ...{ application: 'stacklight', object: 'HelmBundle default/stacklight' },
}

/** What the terminal, the screen and a report's table of events say of one fact. */
function facesOf(name: string, subject = 'node/cmp-1', values: Record<string, Json> = {}, verbose = true) {
  const sample = createSampleRun()
  const lines = createEventLines(pipeLook, verbose)
  for (const event of sample.created()) lines.linesOf(event)
  const event = sample.fact('drain-node', name, subject, values)
  const [terminal] = lines.linesOf(event)
  const { text: screen, tone } = eventLine(event, new Map([['drain-node', 'Drain cmp-1']]))
  const report = reportCsv(reportOf(sample.events), 'events').trimEnd().split('\r\n').at(-1) ?? ''
  return { terminal: terminal?.replace(/^\S+ {2}/, '') ?? null, screen, tone, report }
}

describe('every fact that a run can journal', () => {
  it('is all that a step can tell: a name without words does not compile', () => {
    const reported: string[] = []
    const announce: StepContext<null>['announce'] = fact => reported.push(fact)
    announce(CORDON_REQUESTED, 'node/cmp-1')
    // @ts-expect-error: there are no words for it.
    announce('node-painted', 'node/cmp-1')
    expect(reported).toHaveLength(2)
  })

  it.each(RUN_FACTS)('%s has the same words on screen, in the terminal and in a report', name => {
    const { terminal, screen, report } = facesOf(name, 'node/cmp-1', VALUES)
    expect(screen).toMatch(/^cmp-1: [^. ].*[^. ]\.$/)
    // A limit is a moment where the face can tell one.
    const withoutLimit = (said: string | null) => said?.replace(/(?:after|for) 5 min|(?:at|until) 10:05:00/, 'then')
    expect(withoutLimit(terminal)).toBe(withoutLimit(screen))
    expect(report).toContain(factSentence({ text: screen.replace(/^cmp-1: /, '') }))
    // The name is for programs; there is a column for it.
    for (const said of [screen, terminal]) expect(said).not.toContain(name)
  })

  it.each(RUN_FACTS)('%s has words without the values that an older version did not keep', name => {
    for (const said of Object.values(facesOf(name))) expect(said).not.toMatch(/undefined|NaN|Invalid|\[object/)
  })

  it.each<[name: string, subject: string, values: Record<string, Json>, line: string]>([
    [CORDON_REQUESTED, 'node/cmp-1', {}, 'cmp-1: cordon requested.'],
    [
      COMPUTE_DISABLE_REQUESTED,
      'nova-compute/cmp-1',
      { id: 'x', reason: 'Lockkeeper: disks' },
      'cmp-1: disabling nova-compute: Lockkeeper: disks.',
    ],
    [OVN_ENABLE_REQUESTED, 'microovn/microovn/0', { service: 'switch' }, 'microovn/0: enabling its service switch.'],
    [OSDS_STOP_REQUESTED, 'node/osd-1', { osds: [1, 4] }, 'osd-1: stopping its OSDs: 1, 4.'],
    [NOOUT_SET_REQUESTED, 'ceph-host/osd-1', { reach: 'host' }, "osd-1: setting noout for this node's OSDs."],
    [NOOUT_SET_REQUESTED, 'ceph', { reach: 'cluster' }, 'Ceph: setting noout for all of Ceph.'],
    [
      NOOUT_NOTED,
      'node/sun-1',
      { needed: true },
      'sun-1: Lockkeeper records on it that it needs noout of all of Ceph.',
    ],
    [
      MICROCEPH_EXIT_REQUESTED,
      'node/sun-1',
      {},
      'sun-1: Lockkeeper asks MicroCeph to end its maintenance, which removes noout of all of Ceph.',
    ],
    [
      CLUSTER_REQUEST_CREATED,
      'cluster',
      { name: 'update-1', scope: 'drain' },
      'the cloud: maintenance requested as update-1, scope drain.',
    ],
    [
      NODE_WORKED,
      'node/cmp-1',
      { bootId: 'b2', kubeletVersion: 'v1.31.2', osImage: 'Ubuntu 24.04' },
      'cmp-1: the work on it is done: boot id b2, kubelet v1.31.2, Ubuntu 24.04.',
    ],
    [NODE_WORKED, 'node/cmp-1', { job: 'work-1' }, 'cmp-1: the work on it is done: Job work-1 is complete.'],
    [
      WORK_JOB_REQUESTED,
      'node/cmp-1',
      { name: 'work-1', namespace: 'ops', attempt: 2 },
      'cmp-1: Job ops/work-1 requested, attempt 2.',
    ],
    [
      WORK_JOB_FAILED,
      'node/cmp-1',
      { message: 'it ran out of time' },
      'cmp-1: the Job of the work on it failed: it ran out of time.',
    ],
    [WATCHER_LEFT, 'watcher-plan/4f1c', { ids: ['a'] }, 'Watcher: action plan 4f1c left instances on the node.'],
    [TRANSIENT_RECOVERED, 'drain-node', { passed: false }, 'Drain cmp-1: still waits, and cannot continue alone.'],
  ])('%s about %s reads as an operator speaks', (fact, subject, values, line) => {
    expect(factLine(factSaying({ fact, subject, values, stepId: 'drain-node' }, 'Drain cmp-1'))).toBe(line)
  })
})

describe('a fact of another version', () => {
  it('is shown by its name everywhere, and never hidden', () => {
    const shown = facesOf('node-painted', 'node/cmp-1', { colour: 'red' }, false)
    expect(shown).toMatchObject({
      terminal: 'cmp-1: node-painted.',
      screen: 'cmp-1: node-painted.',
      tone: 'plain',
      report: expect.stringContaining('colour: red'),
    })
  })
})
