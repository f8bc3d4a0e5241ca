import { delimiter, resolve } from 'node:path'
import type { RequestInput } from '../../../shared/contract/index.ts'
import type { NodeRole, RoleLabelRules } from '../../../shared/domain/roles.ts'
import type { ParsedArguments } from '../arguments/parsed-arguments.ts'
import type { Command } from '../command.ts'
import { renderClusters } from '../render/render-clusters.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { shellWord } from '../words/shell-word.ts'

/** `cluster add`: registers a cluster by names and paths. */
export const addCluster: Command = async context => {
  const { args, contract, printer, surroundings } = context
  const input = clusterInput(args, surroundings.workDirectory)
  if (typeof input === 'string') return reportUsage(context, input)
  const added = await contract.ask('cluster.add', input)
  if (!added.ok) return reportFailure(context, added.failure)
  if (printer.json) printer.value(added.value)
  else {
    printer.say(...renderClusters([added.value], printer.look))
    printer.say(`Try it: lockkeeper cluster test ${shellWord(added.value.name)}`)
  }
  return 0
}

/** The request that the flags of `cluster add` make; a sentence when they contradict each other. Paths become absolute. */
export function clusterInput(args: ParsedArguments, workDirectory: string): RequestInput<'cluster.add'> | string {
  const cloud = args.text('cloud')
  const cloudsYaml = args.text('clouds-yaml')
  const without = args.isSet('no-openstack')
  if (without && (cloud !== null || cloudsYaml !== null)) {
    return '--no-openstack and --cloud or --clouds-yaml contradict each other.'
  }
  if (!without && cloud === null) {
    return 'Say which OpenStack belongs to the cluster: --cloud NAME (with --clouds-yaml FILE), or --no-openstack.'
  }
  const roleLabels = roleRules(args.texts('role-label'))
  if (typeof roleLabels === 'string') return roleLabels
  const returnTimeoutMs = args.number('return-timeout')
  if (returnTimeoutMs === 0)
    return '--return-timeout cannot be 0: a node that never reports would be waited for without end.'
  const flavour = args.text('flavour')
  const limits = {
    ...given('migrationsPerSource', args.number('concurrency')),
    ...given('migrationAttempts', args.number('attempts')),
    ...given('drainTimeoutMs', args.number('drain-timeout')),
    ...given('returnTimeoutMs', returnTimeoutMs),
  }
  const absolute = (path: string) => resolve(workDirectory, path)
  const paths = (args.text('kubeconfig') ?? '').split(delimiter).filter(path => path !== '')
  return {
    name: args.operand('NAME'),
    flavour: flavour === 'mosk' || flavour === 'sunbeam' ? flavour : 'plain',
    kubeconfig: { paths: paths.map(absolute), context: args.text('context') },
    cloud: cloud === null ? null : { path: cloudsYaml === null ? null : absolute(cloudsYaml), cloud },
    ...(Object.keys(roleLabels).length === 0 ? {} : { roleLabels }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...given('openstackNamespace', args.text('openstack-namespace')),
    ...given('leaseNamespace', args.text('lease-namespace')),
  }
}

function given<K extends string, T>(key: K, value: T | null): { [P in K]?: T } {
  const part: { [P in K]?: T } = {}
  if (value !== null) part[key] = value
  return part
}

const ROLES = ['control', 'gateway', 'compute', 'storage'] as const satisfies readonly NodeRole[]

function roleRules(texts: readonly string[]): Partial<RoleLabelRules> | string {
  const rules: Partial<Record<NodeRole, string[]>> = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    const role = ROLES.find(known => known === text.slice(0, at))
    const rule = text.slice(at + 1)
    if (at < 0 || role === undefined || rule === '' || rule.startsWith('=')) {
      return `--role-label takes ROLE=KEY or ROLE=KEY=VALUE with a role of ${ROLES.join(', ')}, not ${text}.`
    }
    rules[role] = [...(rules[role] ?? []), rule]
  }
  return rules
}
