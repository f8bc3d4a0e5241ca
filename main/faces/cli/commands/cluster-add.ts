import { delimiter, resolve } from 'node:path'
import type { RequestInput } from '../../../../shared/contract/index.ts'
import { ClusterColour } from '../../../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../../shared/domain/maintenance-api.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../../shared/domain/role-maintenance.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import type { ParsedArguments } from '../arguments/parsed-arguments.ts'
import { given, limitFlags, roleRules } from '../cluster-flags.ts'
import type { Command } from '../command.ts'
import { maintenanceApiFlags } from '../maintenance-api-flags.ts'
import type { CliProcess } from '../process-io.ts'
import { renderClusters } from '../render/render-clusters.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { roleMaintenanceFlags } from '../role-maintenance-flags.ts'

export const addCluster: Command = async context => {
  const { args, contract, printer, io } = context
  const input = clusterInput(args, io)
  if (typeof input === 'string') return reportUsage(context, input)
  const added = await contract.ask('cluster.add', input)
  if (!added.ok) return reportFailure(context, added.failure)
  if (printer.json) printer.value(added.value)
  else {
    printer.say(...renderClusters([added.value], printer.look))
    printer.say(`Try it: \`lockkeeper cluster test ${shellWord(added.value.name)}\``)
  }
  return 0
}

/** The request of `cluster add`; a message when flags contradict each other. Paths become absolute. */
function clusterInput(
  args: ParsedArguments,
  io: Pick<CliProcess, 'workDirectory' | 'env'>,
): RequestInput<'cluster.add'> | string {
  const cloud = args.text('cloud')
  const cloudsYaml = args.text('clouds-yaml')
  const without = args.isSet('no-openstack')
  if (without && (cloud !== null || cloudsYaml !== null)) {
    return '--no-openstack contradicts --cloud and --clouds-yaml.'
  }
  if (!without && cloud === null) {
    return 'Name the OpenStack of the cloud: --cloud NAME (with --clouds-yaml FILE), or --no-openstack.'
  }
  const roleLabels = roleRules(args.texts('role-label'))
  if (typeof roleLabels === 'string') return roleLabels
  const limits = limitFlags(args)
  if (typeof limits === 'string') return limits
  const maintenanceApi = maintenanceApiFlags(args, DEFAULT_MAINTENANCE_API)
  if (typeof maintenanceApi === 'string') return maintenanceApi
  const roleMaintenance = roleMaintenanceFlags(args, DEFAULT_ROLE_MAINTENANCE, io)
  if (typeof roleMaintenance === 'string') return roleMaintenance
  const flavour = args.text('flavour')
  const colour = ClusterColour.safeParse(args.text('colour'))
  const absolute = (path: string) => resolve(io.workDirectory, path)
  const paths = (args.text('kubeconfig') ?? '').split(delimiter).filter(path => path !== '')
  return {
    name: args.operand('NAME'),
    flavour: flavour === 'mosk' || flavour === 'sunbeam' ? flavour : 'plain',
    kubeconfig: { paths: paths.map(absolute), context: args.text('context') },
    cloud: cloud === null ? null : { path: cloudsYaml === null ? null : absolute(cloudsYaml), cloud },
    ...(Object.keys(roleLabels).length === 0 ? {} : { roleLabels }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(Object.keys(maintenanceApi).length === 0 ? {} : { maintenanceApi }),
    ...(Object.keys(roleMaintenance).length === 0 ? {} : { roleMaintenance }),
    ...given('openstackNamespace', args.text('openstack-namespace')),
    ...given('leaseNamespace', args.text('lease-namespace')),
    ...(args.isSet('production') ? { production: true } : {}),
    ...(colour.success ? { colour: colour.data } : {}),
  }
}
