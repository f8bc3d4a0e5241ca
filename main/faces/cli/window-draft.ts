import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { MaintenanceWindow, WindowDraft, WindowPlan } from '../../../shared/domain/window.ts'
import { readZonedTime } from '../../../shared/grammar/written-time.ts'
import type { CommandContext } from './command.ts'
import { connectCluster } from './connect-cluster.ts'
import { namesIn, updateChoices, workOf } from './update-choices.ts'

/** The defaults of a new window. */
const NOTHING_SAID = { title: '', ticket: '', notes: '', timeZone: '', plan: { kind: 'open' } } as const

/** The window in the flags of `window create` and `window change`; everything else stays as it was. */
export async function windowDraft(
  cluster: string,
  before: MaintenanceWindow | null,
  context: CommandContext,
): Promise<Result<WindowDraft>> {
  const { args } = context
  const { title, ticket, notes, timeZone: zoneBefore } = before ?? NOTHING_SAID
  const timeZone = args.text('zone') ?? zoneBefore
  if (timeZone === '') return refused('Give the time zone: --zone Europe/Berlin, or UTC.')
  const startsAt = timeOf('start', timeZone, before?.startsAt ?? null, context)
  if (!startsAt.ok) return startsAt
  const endsAt = timeOf('end', timeZone, before?.endsAt ?? null, context)
  if (!endsAt.ok) return endsAt
  const said = args.text('title') ?? title
  if (said === '') return refused('Give a title: --title TEXT.')
  const plan = await planSaid(cluster, before?.plan ?? NOTHING_SAID.plan, context)
  if (!plan.ok) return plan
  return ok({
    cluster,
    title: said,
    ticket: args.text('ticket') ?? ticket,
    notes: args.text('notes') ?? notes,
    startsAt: startsAt.value,
    endsAt: endsAt.value,
    timeZone,
    plan: plan.value,
  })
}

function timeOf(flag: 'start' | 'end', zone: string, before: string | null, { args }: CommandContext): Result<string> {
  const written = args.text(flag)
  if (written === null) {
    return before === null
      ? refused(`Say when the window ${flag}s: --${flag} "2026-11-22 22:00", in the time zone ${zone}.`)
      : ok(before)
  }
  const reading = readZonedTime(written, zone)
  return reading.kind === 'one' ? ok(reading.at) : refused(reading.words)
}

/** The plan of a window in the flags; everything else stays as it was. */
export async function planSaid(
  cluster: string,
  before: WindowPlan,
  context: CommandContext,
): Promise<Result<WindowPlan>> {
  const { args } = context
  const isBatches = args.isSet('nodes') || args.isSet('batch')
  if (args.isSet('update') && isBatches) {
    return refused('--update plans the whole cloud, --nodes and --batch plan single nodes. Give one of them.')
  }
  if (args.isSet('nodes') && args.isSet('batch')) {
    return refused('With --nodes Lockkeeper makes the batches, with --batch you do. Give one of them.')
  }
  if (args.isSet('update')) return updateOf(cluster, context)
  if (isBatches || before.kind === 'batches') return batchesOf(cluster, before, context)
  const idle = ['batches', 'scope', 'work', 'work-minutes', 'pause-between-batches', 'zones'].find(flag =>
    args.isSet(flag),
  )
  return idle === undefined ? ok(before) : refused(`--${idle} needs batches: name nodes with --nodes or --batch.`)
}

async function batchesOf(cluster: string, before: WindowPlan, context: CommandContext): Promise<Result<WindowPlan>> {
  const { args, io } = context
  const was = before.kind === 'batches' ? before : null
  const work = await workOf(args, was?.work ?? { kind: 'person' }, io.workDirectory)
  if (!work.ok) return work
  const batches = await batchesSaid(cluster, was?.batches ?? [], context)
  if (!batches.ok) return batches
  const scope = args.text('scope')
  return ok({
    kind: 'batches',
    scope: scope === 'drain' || scope === 'os' ? scope : (was?.scope ?? 'os'),
    batches: batches.value.map(nodes => ({ nodes: [...nodes] })),
    work: work.value,
    workMinutes: args.number('work-minutes') ?? was?.workMinutes ?? null,
    pauseBetweenBatches: args.isSet('pause-between-batches') || (was?.pauseBetweenBatches ?? false),
  })
}

async function batchesSaid(
  cluster: string,
  before: readonly { readonly nodes: readonly string[] }[],
  context: CommandContext,
): Promise<Result<readonly (readonly string[])[]>> {
  const { args, contract, printer } = context
  const typed = args.texts('batch').map(namesIn)
  if (typed.some(nodes => nodes.length === 0)) return refused('--batch needs at least one node: --batch cmp-1,cmp-2.')
  if (typed.length > 0) return ok(typed)
  const nodes = namesIn(args.text('nodes') ?? '')
  if (nodes.length === 0) {
    return args.isSet('nodes') ? refused('--nodes needs at least one node.') : ok(before.map(batch => batch.nodes))
  }
  const connected = await connectCluster(cluster, context)
  if (connected !== null) return failed(connected)
  const zones = args.text('zones') === 'spread' ? 'spread' : 'one-at-a-time'
  const made = await contract.ask('batches.plan', { cluster, nodes, wish: { zones, atOnce: {} } })
  if (!made.ok) return made
  for (const { node, why } of made.value.left) printer.warn(`${node} is in no batch: ${why}`)
  if (made.value.batches.length > 0) return ok(made.value.batches.map(batch => batch.nodes))
  return refused(`${nodes.join(', ')} cannot form a batch. \`lockkeeper window batches\` says why.`)
}

async function updateOf(cluster: string, context: CommandContext): Promise<Result<WindowPlan>> {
  const { args, contract, io } = context
  const connected = await connectCluster(cluster, context)
  if (connected !== null) return failed(connected)
  const proposed = await contract.ask('update.propose', { cluster })
  if (!proposed.ok) return proposed
  const wish = await updateChoices(args, proposed.value.options, io.workDirectory)
  // Windows have no applications, so that no command comes with them.
  return wish.ok ? ok({ kind: 'update', update: wish.value.update }) : wish
}

function refused(message: string): Result<never> {
  return failed(failure('bad-input', message))
}
