import type { Command } from '../command.ts'
import { consentIfNeeded } from '../connect-cluster.ts'
import { renderClusterTest } from '../render/render-cluster-test.ts'
import { reportFailure } from '../report-failure.ts'

export const testCluster: Command = async context => {
  const { args, contract, printer } = context
  const name = args.operand('NAME')
  const refused = await consentIfNeeded(name, context)
  if (refused !== null) return reportFailure(context, refused)
  const tested = await contract.ask('cluster.test', { name })
  if (!tested.ok) return reportFailure(context, tested.failure)
  if (printer.json) printer.value(tested.value)
  else printer.say(...renderClusterTest(tested.value, printer.look))
  return tested.value.ok ? 0 : 3
}
