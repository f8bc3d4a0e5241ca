import type { ListedRequest, RequestOutput } from '../../../../shared/contract/index.ts'
import { lockTextWords } from '../../../../shared/words/lock-text.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { projectWords } from '../find-instances.ts'
import { confirm } from '../follow/questions.ts'
import { renderLocks, renderRequests } from '../render/render-maintenance-objects.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'
import { enterNode } from './maintain.ts'

type Listed = RequestOutput<'maintenance.list'>

export const listLocks: Command = context =>
  show(
    context,
    ({ locks }) => locks,
    ({ locks }, look) => renderLocks(locks, look),
  )

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
  if (!listed.value.served) printer.warn(`${cluster} has no node maintenance API. See \`crds diff ${cluster}\`.`)
  if (printer.json) printer.value(pick(listed.value))
  else if (listed.value.served) {
    const named = printer.verbose ? listed.value : await withNames(listed.value, context)
    printer.say(...linesOf(named, printer.look))
  }
  return 0
}

const INSTANCE_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Replaces ids of instances in controllers' texts by names and projects; unknown ids stay. */
async function withNames(listed: Listed, { args, contract }: CommandContext): Promise<Listed> {
  const texts = [...listed.locks.map(({ says }) => says), ...listed.requests.flatMap(({ waitsFor }) => waitsFor)]
  if (texts.every(text => text.search(INSTANCE_ID) < 0)) return listed
  const known = await contract.ask('instance.list', { cluster: args.operand('CLUSTER'), node: null })
  if (!known.ok) return listed
  const { instances, projects } = known.value
  const words = new Map(
    instances.map(each => [each.id, { name: each.name, of: projectWords(each, { projects }) }] as const),
  )
  const named = (text: string) => lockTextWords(text, id => words.get(id.toLowerCase()) ?? null)
  return {
    ...listed,
    locks: listed.locks.map(lock => ({ ...lock, says: named(lock.says) })),
    requests: listed.requests.map(request => ({ ...request, waitsFor: request.waitsFor.map(named) })),
  }
}

/** `requests create`: the plan of `enter`, only on clusters where it creates a request. */
export const createRequest: Command = async context => {
  const cluster = context.args.operand('CLUSTER')
  const known = await context.contract.ask('cluster.list', {})
  if (!known.ok) return reportFailure(context, known.failure)
  const flavour = known.value.find(({ name }) => name === cluster)?.flavour
  if (flavour !== undefined && flavour !== 'mosk') {
    return reportUsage(context, `${cluster} has flavour ${flavour}, which needs no requests. Use \`enter\`.`)
  }
  return enterNode(context)
}

/** `requests remove`: removes exactly the request shown, after a confirmation. */
export const removeRequest: Command = async context => {
  const { args, contract, printer, io } = context
  const cluster = args.operand('CLUSTER')
  const name = args.operand('NAME')
  const force = args.text('force')
  const reason = force ?? args.text('reason')
  if (reason === null)
    return reportUsage(context, 'Give a reason: --reason TEXT, or --force REASON for a request of another program.')
  const canAsk = io.canAsk && printer.channel.isTTY
  if (!canAsk && !args.isSet('yes')) {
    return reportUsage(context, 'There is no terminal to ask. Give --yes to remove it without a question.')
  }
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const listed = await contract.ask('maintenance.list', { cluster })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const named = listed.value.requests.flatMap(request => {
    const kind = REMOVABLE[request.kind]
    const wanted = args.text('kind')
    return kind === null || request.name !== name || (wanted !== null && wanted !== kind.word)
      ? []
      : [{ request, kind }]
  })
  const [found] = named
  if (found === undefined) {
    return reportFailure(
      context,
      refusal('not-found', because('MaintenanceRequestUnknown', { cluster, request: name })),
    )
  }
  if (named.length > 1)
    return reportUsage(context, `Two requests have the name ${name}. Add --kind cluster or --kind node.`)
  const { request, kind } = found
  const what = `the request ${name} for ${request.node ?? 'the cloud'} of ${cluster}, made ${request.madeBy}`
  if (!args.isSet('yes') && !(await confirm(`Remove ${what}?`, context, new AbortController().signal))) {
    printer.say('Nothing was removed.')
    return 4
  }
  const typed = args.text('confirm-cluster')
  const removed = await contract.ask('request.remove', {
    cluster,
    kind: kind.kind,
    name,
    uid: request.uid,
    reason,
    force: force !== null,
    ...(typed === null ? {} : { typedCluster: typed }),
  })
  if (!removed.ok) return reportFailure(context, removed.failure)
  printer.say(...hang('', `Removed ${what}. ${ENDS[removed.value.state]}`, printer.look.columns))
  if (printer.json) printer.value(removed.value)
  return removed.value.state === 'gone' ? 0 : 4
}

const REMOVABLE: Readonly<
  Record<
    ListedRequest['kind'],
    | { readonly kind: 'NodeMaintenanceRequest'; readonly word: 'node' }
    | { readonly kind: 'ClusterMaintenanceRequest'; readonly word: 'cluster' }
    | null
  >
> = {
  ClusterMaintenanceRequest: { kind: 'ClusterMaintenanceRequest', word: 'cluster' },
  NodeMaintenanceRequest: { kind: 'NodeMaintenanceRequest', word: 'node' },
  NodeDeletionRequest: null,
  NodeDisableNotification: null,
}

const ENDS: Readonly<Record<RequestOutput<'request.remove'>['state'], string>> = {
  gone: 'It is gone.',
  terminating:
    'It stays Terminating until the controllers have brought their applications back. `requests` shows what it waits for.',
  'not-known': 'Could not confirm that it is gone. Check with `requests`.',
}
