import type { RequestOutput } from '../../../shared/contract/index.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { projectWords } from '../find-instances.ts'
import { renderLocks, renderRequests } from '../render/render-maintenance-objects.ts'
import { reportFailure } from '../report-failure.ts'
import type { Look } from '../words/look.ts'

type Listed = RequestOutput<'maintenance.list'>

/** `locks`: every workload lock of the cluster and its nodes. */
export const listLocks: Command = context =>
  show(
    context,
    ({ locks }) => locks,
    ({ locks }, look) => renderLocks(locks, look),
  )

/** `requests`: every request of the node maintenance API, whoever made it. */
export const listRequests: Command = context =>
  show(
    context,
    ({ requests }) => requests,
    ({ requests }, look) => renderRequests(requests, look),
  )

async function show(
  context: CommandContext,
  pick: (listed: Listed) => unknown,
  linesOf: (listed: Listed, look: Look) => readonly string[],
): Promise<ExitCode> {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const listed = await contract.ask('maintenance.list', { cluster })
  if (!listed.ok) return reportFailure(context, listed.failure)
  if (!listed.value.served) printer.warn(`${cluster} has no node maintenance API. \`crds diff ${cluster}\` tells more.`)
  if (printer.json) printer.value(pick(listed.value))
  else if (listed.value.served) {
    const named = printer.verbose ? listed.value : await withNames(listed.value, context)
    printer.say(...linesOf(named, printer.look))
  }
  return 0
}

const INSTANCE_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Controllers name instances by id; people know them by name and project. Ids that nobody can tell a name of stay. */
async function withNames(listed: Listed, { args, contract }: CommandContext): Promise<Listed> {
  const texts = [...listed.locks.map(({ says }) => says), ...listed.requests.flatMap(({ waitsFor }) => waitsFor)]
  if (texts.every(text => text.search(INSTANCE_ID) < 0)) return listed
  const known = await contract.ask('instance.list', { cluster: args.operand('CLUSTER'), node: null })
  if (!known.ok) return listed
  const { instances, projects } = known.value
  const words = new Map(instances.map(each => [each.id, `${each.name} (${projectWords(each, { projects })})`]))
  const named = (text: string) => text.replace(INSTANCE_ID, id => words.get(id.toLowerCase()) ?? id)
  return {
    ...listed,
    locks: listed.locks.map(lock => ({ ...lock, says: named(lock.says) })),
    requests: listed.requests.map(request => ({ ...request, waitsFor: request.waitsFor.map(named) })),
  }
}
