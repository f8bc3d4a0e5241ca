import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { memberWords } from '../../../../shared/words/steps/control.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { BY_FORCE, blocked, blocker, cannotAsk, evidence, passingOf, readyUnless } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { awayAmong, readNodesAway } from '../general/other-maintenances.ts'
import { quorumOf } from './control-quorum.ts'
import { readDatastore } from './datastore-members.ts'

/** The datastore of Kubernetes keeps its quorum without the node (seed 004; docs/domain.md B.1). */
export const datastoreQuorum: Step<MaintenanceWorld> = {
  kind: 'datastore-quorum',
  role: 'control',
  risk: 'none',
  ...stepText('datastore-quorum'),
  verifyEarly: false,
  withinMs: 180_000,
  verifyEveryMs: 5_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const others = await readNodesAway(node, ctx)
    if (!others.ok) return cannotAsk(thing('OtherNodesAway'), others.failure)
    const { away, unread } = others.value
    const read = await readDatastore(node, away, ctx)
    if (!read.ok && read.why.by === 'juju') {
      const { failure } = read.why
      const unknown = fault('DatastoreQuorumNotKnown', { node, cause: failure.message })
      return blocked([{ ...blocker(unknown, BY_FORCE), ...passingOf(failure) }], { warnings: unread })
    }
    if (!read.ok) return cannotAsk(thing('DatastoreMembers'), read.why.failure)
    const { kind, members } = read.value
    const staying = members.filter(member => !member.onNode && member.serves)
    const needed = quorumOf(members.length)
    const gone = awayAmong(
      away,
      members.flatMap(member => member.node ?? []),
    )
    const quorum = { node, gone, total: members.length, staying: staying.length, needed, kind }
    return readyUnless(
      staying.length >= needed ? [] : [blocker(fault('DatastoreQuorumLost', quorum), BY_FORCE)],
      found('DatastoreQuorumStays', quorum),
      {
        evidence: [
          evidence(`datastore (${kind})`, ctx.at(), {
            total: members.length,
            needed,
            staying: staying.map(member => member.name),
            members: members.map(({ name, reported }) => `${name}: ${memberWords(reported)}`),
          }),
        ],
        warnings: [...unread, ...(members.length === 2 ? [found('TwoDatastoreMembers')] : [])],
      },
    )
  },
}
