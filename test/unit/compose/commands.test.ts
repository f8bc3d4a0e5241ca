import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCommands } from '../../../main/compose/commands.ts'
import { createRedactor } from '../../../main/platform/log/redact.ts'
import { openInstallationKey } from '../../../main/platform/settings/installation-key.ts'
import { must } from '../../../shared/domain/must.ts'
import { samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { plannedUpdate } from '../../fixtures/procedures/update-plan.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-own-commands-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const WORK = { kind: 'command', command: 'touch ran', directory: '/' }
const STEP = { ...sampleStep('node-work', 'Work on cmp-1'), input: { node: 'cmp-1', work: WORK } }
const planOf = (kind: 'maintain' | 'enter') => ({ ...samplePlan({ kind }).plan, steps: [STEP] })

function open(isImported: (runId: string) => boolean = () => false) {
  return openCommands(
    {
      dataDirectory: directory,
      signer: valueIn(openInstallationKey(directory)),
      redactor: createRedactor(),
      driver: { machine: 'laptop', bootId: null },
      journal: { care: { isImported } },
      places: { environment: {} },
    },
    ['/nowhere/keeper'],
  )
}

/** Starts the command of a plan under a run; returns its result, and whether it was about to begin. */
async function start({ port }: ReturnType<typeof open>, plan: ReturnType<typeof planOf>, runId: string) {
  const { seal } = must(plan.steps[0], 'it has one step').input as { readonly seal?: string }
  let began = false
  const wish = { name: 'one', runId, cluster: plan.cluster, node: plan.node, ...WORK, seal: seal ?? '' }
  const answer = await port.start(wish, {
    begins: () => {
      began = true
    },
    calledOff: () => {},
  })
  return { why: valueIn(answer).kind === 'refused' ? JSON.stringify(answer) : '', began }
}

test('a command that was confirmed here is about to be started for its run, and for no other', async () => {
  const commands = open()
  const bound = commands.bind(planOf('maintain'), 'run-1')
  expect((await start(commands, bound as ReturnType<typeof planOf>, 'run-1')).began).toBe(true)
  const other = await start(commands, bound as ReturnType<typeof planOf>, 'run-2')
  expect(other).toEqual({
    why: expect.stringContaining(
      'or the plan was changed."}},"message":"Nobody confirmed this command on this installation and machine for this run',
    ),
    began: false,
  })
})

test('one of a run that was taken over from another journal is never started, were its seal of this very installation', async () => {
  const bound = open().bind(planOf('maintain'), 'run-1') as ReturnType<typeof planOf>
  const { why, began } = await start(
    open(runId => runId === 'run-1'),
    bound,
    'run-1',
  )
  expect([why, began]).toEqual([expect.stringContaining('Either the run came from another journal'), false])
  expect(existsSync(join(directory, 'commands'))).toBe(false)
})

test('a command that starts an application is bound to it, and starts no other', async () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ops', name: 'a' }
  const finished = { kind: 'field', object, path: 'data.done', equals: '1' }
  const step = {
    ...sampleStep('update-application', 'Update ceph'),
    input: { update: { application: 'ceph', start: null, finished }, work: WORK },
  }
  const plan = { ...plannedUpdate(), steps: [step] }
  const commands = open()
  const { seal = '' } = must(commands.bind(plan, 'run-1').steps[0], 'it has one step').input as {
    readonly seal?: string
  }
  const { kind: _kind, ...line } = WORK
  const started = async (application: string) => {
    let began = false
    const wish = {
      name: `one-${application}`,
      runId: 'run-1',
      cluster: plan.cluster,
      node: '',
      application,
      ...line,
      seal,
    }
    const begins = () => {
      began = true
    }
    valueIn(await commands.port.start(wish, { begins, calledOff: () => {} }))
    return began
  }
  expect(await started('openstack')).toBe(false)
  expect(await started('ceph')).toBe(true)
})

test('only one node’s whole maintenance has its command sealed', () => {
  expect(JSON.stringify(open().bind(planOf('enter'), 'run-1'))).not.toContain('seal')
})
