import type { RequestInput, RequestOutput } from '../../../../shared/contract/index.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { HOST_MODES, type HostMode } from '../../../../shared/domain/instance-policy.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { type ExitCode, exitOfFailure } from '../exit-code.ts'
import { renderFailure } from '../render/render-failure.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import type { Look } from '../words/look.ts'

type Change = Pick<RequestInput<'node.set-mode'>, 'mode' | 'attempts'>
type Values = RequestOutput<'node.set-mode'>['before']

interface Outcome {
  readonly node: string
  readonly before: Values | null
  readonly after: Values | null
  readonly failure: Failure | null
}

export const setHostModes: Command = context => {
  const mode = context.args.operand('MODE')
  return changeHosts(context, { mode: HOST_MODES.find((each): each is HostMode => each === mode) ?? null })
}

export const setHostAttempts: Command = context => {
  const word = context.args.operand('ATTEMPTS')
  const attempts = word === 'default' ? null : /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN
  if (attempts !== null && !(attempts >= 1 && attempts <= 20)) {
    return Promise.resolve(reportUsage(context, `ATTEMPTS is a whole number from 1 to 20, or default, not ${word}.`))
  }
  return changeHosts(context, { attempts })
}

/** An unknown node refuses the whole command before anything changes; otherwise each node has its own result. */
async function changeHosts(context: CommandContext, change: Change): Promise<ExitCode> {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const names = [...new Set(args.several)]
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const known = await contract.ask('node.list', { cluster })
  if (!known.ok) return reportFailure(context, known.failure)
  const unknownNodes = names.filter(name => known.value.nodes.every(node => node.name !== name))
  if (unknownNodes.length > 0) {
    return reportFailure(context, refusal('not-found', because('NodesUnknown', { cluster, nodes: unknownNodes })))
  }
  const without = known.value.nodes.filter(({ name, roles }) => names.includes(name) && !roles.includes('compute'))
  if (without.length > 0 && isSet(change)) {
    return reportFailure(
      context,
      refusal('bad-input', because('HostModeWithoutCompute', { cluster, nodes: without.map(({ name }) => name) })),
    )
  }
  const outcomes: Outcome[] = []
  for (const node of names) {
    const answer = await contract.ask('node.set-mode', { cluster, node, ...change })
    const outcome = answer.ok
      ? { node, ...answer.value, failure: null }
      : { node, before: null, after: null, failure: answer.failure }
    outcomes.push(outcome)
    if (outcome.failure === null) printer.say(lineOf(outcome, change, printer.look))
    else printer.warn(...renderFailure(outcome.failure, printer.warningLook, printer.verbose))
  }
  if (printer.json) printer.value(outcomes)
  const failed = outcomes.find(outcome => outcome.failure !== null)?.failure
  return failed == null ? 0 : exitOfFailure(failed)
}

/** Resetting to the default works on every node. */
function isSet({ mode, attempts }: Change): boolean {
  return mode != null || attempts != null
}

function lineOf({ node, before, after }: Outcome, change: Change, look: Look): string {
  const key = change.attempts === undefined ? 'mode' : 'attempts'
  const was = before?.[key] ?? 'default'
  const is = after?.[key] ?? 'default'
  return was === is ? `${node}: ${key} is ${is}, as before` : `${node}: ${key} ${was} ${look.symbols.arrow} ${is}`
}
