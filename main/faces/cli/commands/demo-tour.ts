import type { PlanChoices } from '../../../../shared/contract/index.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { type CheckedPlan, planSubject } from '../../../../shared/domain/plan.ts'
import { effectsOf } from '../../../../shared/domain/plan-effects.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { openContract } from '../open-contract.ts'
import { renderNodes } from '../render/render-nodes.ts'
import { reportFailure } from '../report-failure.ts'
import { runPlan } from './maintain.ts'

/** `demo tour`: takes a demo compute node out of service and brings it back, both verified. */
export const tourDemo: Command = async outer => {
  outer.printer.say('Starting the demo clouds. Nothing outside this process changes.', '')
  const contract = await openContract(outer, true, null)
  if (contract === null) return 1
  const runs: unknown[] = []
  const context: CommandContext = {
    ...outer,
    contract,
    printer: { ...outer.printer, value: value => runs.push(value) },
  }
  const tour = await walk(context)
  if (outer.printer.json)
    outer.printer.value(tour.ok ? { enter: runs[0] ?? null, leave: runs[1] ?? null } : { failure: tour.failure })
  if (tour.ok) return tour.value
  return reportFailure({ printer: { ...outer.printer, json: false } }, tour.failure)
}

async function walk(context: CommandContext): Promise<Result<ExitCode>> {
  const { contract, printer } = context
  const clusters = await contract.ask('cluster.list', {})
  if (!clusters.ok) return clusters
  // The tour asks no questions, and a production cloud would need its typed name.
  const cluster = clusters.value.find(
    ({ flavour, cloud, production }) => flavour === 'plain' && cloud !== null && !production,
  )
  if (cluster === undefined) return failed(refusal('not-found', because('NoDemoCloud')))
  const refused = await connectCluster(cluster.name, context)
  if (refused !== null) return failed(refused)
  const chosen = await choosePlan(cluster.name, context)
  if (!chosen.ok) return chosen
  const node = planSubject(chosen.value.plan)

  const entered = await runPlan(chosen.value, context, true)
  if (entered !== 0) return ok(entered)
  const inside = await expectState(cluster.name, node, 'maintenance', context)
  if (inside !== null) return failed(inside)

  printer.say('', 'You would work on the node now. Next it comes back.', '')
  const back = await contract.ask('plan.make', { cluster: cluster.name, node, kind: 'leave', choices: {} })
  if (!back.ok) return back
  const left = await runPlan(back.value, context, true)
  if (left !== 0) return ok(left)
  const outside = await expectState(cluster.name, node, 'active', context)
  if (outside !== null) return failed(outside)
  printer.say(
    '',
    `Done: ${node} went out of service and came back, verified.`,
    'Next, add your own cloud: `lockkeeper cluster add --help`',
  )
  return ok(0)
}

/** The first compute node whose plan can start and moves an instance; emptyDir data of demo pods may be deleted if needed. */
async function choosePlan(cluster: string, { contract }: CommandContext): Promise<Result<CheckedPlan>> {
  const listed = await contract.ask('node.list', { cluster })
  if (!listed.ok) return listed
  const candidates = listed.value.nodes
    .filter(node => node.roles.includes('compute') && node.ready === 'ready' && node.state === 'active')
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  const attempts: readonly PlanChoices[] = [{}, { deleteEmptyDirData: true }]
  for (const choices of attempts) {
    for (const { name } of candidates) {
      const made = await contract.ask('plan.make', { cluster, node: name, kind: 'enter', choices })
      if (!made.ok) return made
      const moves = effectsOf(made.value).instances.some(({ action }) => action === 'live_migrate')
      if (made.value.startable && moves) return made
    }
  }
  return failed(refusal('checks-failed', because('NoNodeForTour', { cluster, nodes: candidates.length })))
}

async function expectState(
  cluster: string,
  name: string,
  state: NodeSummary['state'],
  { contract, printer }: CommandContext,
): Promise<Failure | null> {
  const listed = await contract.ask('node.list', { cluster })
  if (!listed.ok) return listed.failure
  const nodes = listed.value.nodes.filter(node => node.name === name)
  printer.say('', ...renderNodes(nodes, printer.look))
  const now = nodes[0]
  if (now?.state === state) return null
  return failure(
    'internal',
    `${name} should be ${state} now, but is ${now === undefined ? 'gone' : `${now.state}: ${now.stateReason}`}.`,
    {
      target: `node/${name}`,
    },
  )
}
