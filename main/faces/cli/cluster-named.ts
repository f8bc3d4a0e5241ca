import type { Cluster } from '../../../shared/domain/cluster.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
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
    failure('not-found', `There is no cluster named ${name}. \`lockkeeper cluster list\` names those that are.`, {
      target: `cluster/${name}`,
    }),
  )
}
