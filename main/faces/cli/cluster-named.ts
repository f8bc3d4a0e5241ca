import type { Cluster } from '../../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { CommandContext } from './command.ts'

export async function clusterNamed(
  name: string,
  { contract }: Pick<CommandContext, 'contract'>,
): Promise<Result<Cluster>> {
  const listed = await contract.ask('cluster.list', {})
  if (!listed.ok) return listed
  const cluster = listed.value.find(each => each.name === name)
  if (cluster !== undefined) return ok(cluster)
  return failed(
    refusal('not-found', because('ClusterNotRegistered', { cluster: name }), {
      target: `cluster/${name}`,
    }),
  )
}
