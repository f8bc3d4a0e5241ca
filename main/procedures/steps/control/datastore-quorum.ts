import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { BY_FORCE, blocked, cannotAsk, evidence, passingOf, readyUnless } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { besideAway, readNodesAway } from '../general/other-maintenances.ts'
import { quorumOf } from './control-quorum.ts'
import { readDatastore } from './datastore-members.ts'

/** The datastore of Kubernetes keeps its quorum without the node (seed 004, control check "K8s dqlite redundancy"; docs/domain.md B.1). */
export const datastoreQuorum: Step<MaintenanceWorld> = {
  kind: 'datastore-quorum',
  role: 'control',
  risk: 'none',
  why: 'Without a quorum of its datastore the Kubernetes control plane stops.',
  title: input => `The datastore of Kubernetes keeps its quorum without ${nodeOf(input)}`,
  verifyEarly: false,
  withinMs: 180_000,
  verifyEveryMs: 5_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const others = await readNodesAway(node, ctx)
    if (!others.ok) return cannotAsk('Which other nodes are out of service', others.failure)
    const { away, unread } = others.value
    const read = await readDatastore(node, away, ctx)
    if (!read.ok && read.why.by === 'juju') {
      return blocked(
        [
          {
            code: 'quorum-not-known',
            message: `Whether the datastore keeps its quorum without ${node} is not known: Juju could not be asked. ${read.why.failure.message}`,
            remedy:
              'Bring the Juju controller back, or make sure of the quorum yourself and give --force with the reason.',
            override: BY_FORCE,
            ...passingOf(read.why.failure),
          },
        ],
        { warnings: unread },
      )
    }
    if (!read.ok) return cannotAsk('The members of the datastore', read.why.failure)
    const { kind, members } = read.value
    const staying = members.filter(member => !member.onNode && member.serves)
    const needed = quorumOf(members.length)
    const gone = besideAway(
      away,
      members.flatMap(member => member.node ?? []),
    )
    return readyUnless(
      staying.length >= needed
        ? []
        : [
            {
              code: 'quorum-lost',
              message: `Of ${members.length} members (${kind}) ${staying.length} would be left serving without ${node}${gone}; a quorum needs ${needed}.`,
              remedy: 'Bring the other members back first.',
              override: BY_FORCE,
            },
          ],
      `${staying.length} of ${members.length} members (${kind}) stay without ${node}${gone}; a quorum needs ${needed}.`,
      {
        evidence: [
          evidence(`datastore (${kind})`, ctx.at(), {
            total: members.length,
            needed,
            staying: staying.map(member => member.name),
            members: members.map(({ name, told }) => `${name}: ${told}`),
          }),
        ],
        warnings: [
          ...unread,
          ...(members.length === 2 ? ['Two members have no redundancy: a quorum of two needs both.'] : []),
        ],
      },
    )
  },
}
