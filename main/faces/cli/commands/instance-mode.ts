import type { RequestOutput } from '../../../../shared/contract/index.ts'
import { MAINTENANCE_ACTIONS, type MaintenanceAction } from '../../../../shared/domain/instance-tags.ts'
import type { Command } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { exitOfFailure } from '../exit-code.ts'
import { findInstances } from '../find-instances.ts'
import { MODE_WORDS, modeOfMarks } from '../instance-mode-words.ts'
import { renderFailure } from '../render/render-failure.ts'
import { reportFailure } from '../report-failure.ts'
import type { Look } from '../words/look.ts'

type MarkResult = RequestOutput<'instance.mark'>['results'][number]

export const markInstances: Command = async context => {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const listed = await contract.ask('instance.list', { cluster, node: null })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const found = findInstances(args.several, listed.value, cluster)
  if (!found.ok) return reportFailure(context, found.failure)
  const actions = actionsOf(args.operand('MODE'))
  const answer = await contract.ask('instance.mark', { cluster, marks: found.value.map(({ id }) => ({ id, actions })) })
  if (!answer.ok) return reportFailure(context, answer.failure)
  const { results } = answer.value
  const words = new Map(found.value.map(({ id, words: name }) => [id, name]))
  for (const result of results) {
    if (result.failure !== null) {
      printer.warn(...renderFailure(result.failure, printer.warningLook, printer.verbose))
    } else printer.say(lineOf(words.get(result.id) ?? result.name, result, printer.look))
  }
  if (printer.json) printer.value(results)
  const failed = results.find(({ failure }) => failure !== null)?.failure
  return failed == null ? 0 : exitOfFailure(failed)
}

function actionsOf(word: string): MaintenanceAction[] {
  const meant: readonly MaintenanceAction[] = Object.entries(MODE_WORDS).find(([name]) => name === word)?.[1] ?? []
  return MAINTENANCE_ACTIONS.filter(action => meant.includes(action))
}

function lineOf(name: string, { before, after }: MarkResult, look: Look): string {
  const was = modeOfMarks(before)
  const is = modeOfMarks(after)
  return was === is ? `${name}: mode is ${is}, as before` : `${name}: mode ${was} ${look.symbols.arrow} ${is}`
}
