import {
  ControllerChoice,
  ControllerName,
  type MaintenanceApiSettings,
} from '../../../shared/domain/maintenance-api.ts'
import type { FlagSpec } from './arguments/argument-specs.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'
import { given } from './cluster-flags.ts'

/** Settings of the node maintenance API, as flags of `cluster add` and `cluster set`. */
export const maintenanceApiFlagSpecs: readonly FlagSpec[] = [
  {
    name: 'controller',
    value: { kind: 'text', placeholder: 'NAME=WHO' },
    repeatable: true,
    help: 'which controller answers maintenance requests for openstack, ceph, tungstenfabric or stacklight: cluster, console or none',
  },
  {
    name: 'compute-max',
    value: { kind: 'count', placeholder: 'N', least: 1, most: 500 },
    help: "compute nodes in maintenance at a time, like Rockoon's nwl_parallel_max_compute (default on flavour mosk: 1, because the vendor allows only one inactive lock at a time)",
  },
  {
    name: 'gateway-max',
    value: { kind: 'count', placeholder: 'N', least: 1, most: 100 },
    help: "network nodes in maintenance at a time (default: 1, like Rockoon's nwl_parallel_max_gateway)",
  },
  {
    name: 'role-limits',
    value: { kind: 'choice', choices: ['any', 'own'] },
    help: 'any (the default): a role at its limit blocks every node, as in Rockoon; own: only nodes of that role',
  },
  { name: 'respect-zone', value: { kind: 'switch' }, help: 'work on compute nodes of one availability zone at a time' },
  {
    name: 'no-respect-zone',
    value: { kind: 'switch' },
    help: 'allow compute nodes of several availability zones at a time',
  },
  {
    name: 'release',
    value: { kind: 'text', placeholder: 'RELEASE' },
    help: "the release that Lockkeeper's controllers announce; none: no release",
  },
  {
    name: 'blocked-after',
    value: { kind: 'duration', placeholder: 'DURATION' },
    help: 'ask when a lock does not change for this long (default: 10m)',
  },
  {
    name: 'ceph-toolbox',
    value: { kind: 'text', placeholder: 'NAMESPACE/LABELS' },
    help: 'the pod that runs the ceph command (default: rook-ceph/app=rook-ceph-tools)',
  },
  {
    name: 'vrouter-pods',
    value: { kind: 'text', placeholder: 'NAMESPACE/LABELS' },
    help: "Tungsten Fabric's vRouter pods (default: tf/app=tf-vrouter-agent)",
  },
  {
    name: 'stacklight-namespace',
    value: { kind: 'text', placeholder: 'NAMESPACE' },
    help: "the namespace of StackLight's pods (default: stacklight)",
  },
]

/** The settings in the flags; a message if one is invalid. `before`: the earlier settings, for flags that give only a part. */
export function maintenanceApiFlags(
  args: ParsedArguments,
  before: MaintenanceApiSettings,
): Partial<MaintenanceApiSettings> | string {
  if (args.isSet('respect-zone') && args.isSet('no-respect-zone')) {
    return '--respect-zone and --no-respect-zone contradict each other.'
  }
  const controllers = { ...before.controllers }
  for (const text of args.texts('controller')) {
    const [name = '', who = ''] = text.split('=')
    const controller = ControllerName.safeParse(name)
    const choice = ControllerChoice.safeParse(who)
    if (!controller.success || !choice.success) {
      return `--controller takes NAME=WHO with a name of ${ControllerName.options.join(', ')} and one of ${ControllerChoice.options.join(', ')}, not ${text}.`
    }
    controllers[controller.data] = choice.data
  }
  const toolbox = placeOf(args, 'ceph-toolbox')
  if (typeof toolbox === 'string') return toolbox
  const vrouter = placeOf(args, 'vrouter-pods')
  if (typeof vrouter === 'string') return vrouter
  const stacklightNamespace = args.text('stacklight-namespace')
  if (args.number('blocked-after') === 0)
    return '--blocked-after cannot be 0: Lockkeeper would ask about every lock immediately.'
  const release = args.text('release')
  const roleLimits = args.text('role-limits')
  return {
    ...(args.texts('controller').length === 0 ? {} : { controllers }),
    ...given('computeMax', args.number('compute-max')),
    ...given('gatewayMax', args.number('gateway-max')),
    ...(roleLimits === 'any' || roleLimits === 'own' ? { roleLimits } : {}),
    ...(args.isSet('respect-zone') ? { respectZone: true } : {}),
    ...(args.isSet('no-respect-zone') ? { respectZone: false } : {}),
    ...(release === null ? {} : { release: release === 'none' ? null : release }),
    ...given('blockedAfterMs', args.number('blocked-after')),
    ...(toolbox === null ? {} : { cephNamespace: toolbox.namespace, cephToolbox: toolbox.labels }),
    ...(vrouter === null ? {} : { tungstenFabricNamespace: vrouter.namespace, vrouterPods: vrouter.labels }),
    ...(stacklightNamespace === null ? {} : { stacklightNamespace }),
  }
}

function placeOf(
  args: ParsedArguments,
  flag: string,
): { readonly namespace: string; readonly labels: string } | string | null {
  const text = args.text(flag)
  if (text === null) return null
  const at = text.indexOf('/')
  const [namespace, labels] = [text.slice(0, at), text.slice(at + 1)]
  return at < 1 || labels === ''
    ? `--${flag} takes NAMESPACE/LABELS, such as rook-ceph/app=rook-ceph-tools, not ${text}.`
    : { namespace, labels }
}
