import { firstPods, type RoleContradiction } from '../domain/node-roles.ts'

/** How the labels and the workload of a node contradict each other. */
export function contradictionWords(contradiction: RoleContradiction): string {
  const { node } = contradiction
  switch (contradiction.kind) {
    case 'not-labelled': {
      const { runs } = contradiction
      const what =
        runs.kind === 'control-pods'
          ? `${node} runs ${firstPods(runs.pods)} of the control plane`
          : `Nova has a nova-compute service on ${node}`
      return `${what}, but it has no label for ${contradiction.role}.`
    }
    case 'unfounded':
      return `Its label ${contradiction.labels.join(', ')} says ${contradiction.role}, but ${MISSING[contradiction.role]} on ${node}.`
  }
}

const MISSING = {
  compute: 'Nova has no nova-compute service',
  storage: 'Ceph has no OSD',
} as const

/** What resolves it. */
export function contradictionRemedy(contradiction: RoleContradiction): string {
  const { node, role } = contradiction
  if (contradiction.kind === 'unfounded')
    return `Find out why it is missing. If ${node} is not a ${role} node, remove the label.`
  const { rule } = contradiction
  return rule === null
    ? `Name the label of the role ${role} in the settings of the cloud (--role-label).`
    : `Put the label back (kubectl label node ${node} ${rule.includes('=') ? rule : `${rule}=`}), name the right one in the settings of the cloud (--role-label), or remove what runs there.`
}
