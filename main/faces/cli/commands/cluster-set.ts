import type { RequestInput } from '../../../../shared/contract/index.ts'
import { type Cluster, ClusterColour, ClusterFlavour } from '../../../../shared/domain/cluster.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { ParsedArguments } from '../arguments/parsed-arguments.ts'
import { limitFlags, roleRules } from '../cluster-flags.ts'
import type { Command } from '../command.ts'
import { maintenanceApiFlags } from '../maintenance-api-flags.ts'
import type { CliProcess } from '../process-io.ts'
import { renderClusters } from '../render/render-clusters.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { roleMaintenanceFlags } from '../role-maintenance-flags.ts'

type Change = RequestInput<'cluster.update'>['change']

/** `cluster set`: settings that are not given stay. */
export const setCluster: Command = async context => {
  const { args, contract, printer, io } = context
  const name = args.operand('NAME')
  const listed = await contract.ask('cluster.list', {})
  if (!listed.ok) return reportFailure(context, listed.failure)
  const cluster = listed.value.find(each => each.name === name)
  if (cluster === undefined) {
    return reportFailure(
      context,
      refusal('not-found', because('ClusterNotRegistered', { cluster: name }), {
        target: `cluster/${name}`,
      }),
    )
  }
  const change = changeOf(args, cluster, io)
  if (typeof change === 'string') return reportUsage(context, change)
  const updated = await contract.ask('cluster.update', { name, change })
  if (!updated.ok) return reportFailure(context, updated.failure)
  if (printer.json) printer.value(updated.value)
  else printer.say(...renderClusters([updated.value], printer.look))
  return 0
}

/** The changes that the flags ask for; a message when they contradict each other or there are none. */
export function changeOf(
  args: ParsedArguments,
  cluster: Cluster,
  io: Pick<CliProcess, 'workDirectory' | 'env'>,
): Change | string {
  if (args.isSet('production') && args.isSet('no-production')) {
    return '--production and --no-production contradict each other.'
  }
  const limits = limitFlags(args)
  if (typeof limits === 'string') return limits
  const roleLabels = roleRules(args.texts('role-label'))
  if (typeof roleLabels === 'string') return roleLabels
  const maintenanceApi = maintenanceApiFlags(args, cluster.maintenanceApi)
  if (typeof maintenanceApi === 'string') return maintenanceApi
  const roleMaintenance = roleMaintenanceFlags(args, cluster.roleMaintenance, io)
  if (typeof roleMaintenance === 'string') return roleMaintenance
  const flavour = ClusterFlavour.safeParse(args.text('flavour'))
  const change: Change = {
    ...(flavour.success ? { flavour: flavour.data } : {}),
    ...(args.isSet('production') ? { production: true } : {}),
    ...(args.isSet('no-production') ? { production: false } : {}),
    ...(args.isSet('colour') ? { colour: ClusterColour.safeParse(args.text('colour')).data ?? null } : {}),
    ...(Object.keys(limits).length === 0 ? {} : { limits: { ...cluster.limits, ...limits } }),
    ...(Object.keys(maintenanceApi).length === 0
      ? {}
      : { maintenanceApi: { ...cluster.maintenanceApi, ...maintenanceApi } }),
    ...(Object.keys(roleMaintenance).length === 0
      ? {}
      : { roleMaintenance: { ...cluster.roleMaintenance, ...roleMaintenance } }),
    ...(Object.keys(roleLabels).length === 0 ? {} : { roleLabels: { ...cluster.roleLabels, ...roleLabels } }),
  }
  return Object.keys(change).length === 0 ? 'Give a setting to change, such as --production or --colour pink.' : change
}
