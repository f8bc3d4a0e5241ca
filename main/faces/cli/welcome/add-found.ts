import type { CloudOffer, ClusterTestReport, FoundCluster } from '../../../../shared/contract/index.ts'
import type { CloudSource } from '../../../../shared/domain/cluster.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import type { CommandContext } from '../command.ts'
import { askLine, confirm } from '../follow/questions.ts'
import { renderRemedy } from '../render/render-cluster-test.ts'
import { renderExecPlugin } from '../render/render-exec-plugin.ts'
import { renderFailure, renderWarning } from '../render/render-failure.ts'
import { hang } from '../words/width.ts'
import { chooseNumber, numbersIn, type Option, sayOptions } from './choose-number.ts'

type Welcoming = Pick<CommandContext, 'contract' | 'printer' | 'io'>

/** Clusters in files of this machine that are not registered. */
export async function foundClusters({ contract, printer }: Welcoming): Promise<readonly FoundCluster[]> {
  const found = await contract.ask('cluster.found', { files: null })
  if (!found.ok) {
    printer.warn(...renderFailure(found.failure, printer.warningLook, printer.verbose))
    return []
  }
  for (const { path, why } of found.value.unread)
    printer.warn(...renderWarning(`Could not read ${path}: ${why}`, printer.warningLook))
  return found.value.clusters.filter(({ registered }) => registered === null)
}

/** Asks which of the found clusters to add; tests each and adds it when the operator agrees. */
export async function addFound(
  found: readonly FoundCluster[],
  welcoming: Welcoming,
  signal: AbortSignal,
): Promise<void> {
  const { printer } = welcoming
  sayOptions(
    found.map(each => ({ words: offerWords(each), value: each })),
    welcoming,
  )
  for (;;) {
    const line = await askLine('Which? Numbers such as 1,3, or all; empty: back', welcoming, signal)
    if (line === null || line === '') return
    const numbers = numbersIn(line, found.length)
    if (numbers === null) {
      printer.say(`Type numbers from 1 to ${found.length}.`)
      continue
    }
    for (const number of numbers) {
      const wanted = found[number - 1]
      if (wanted !== undefined && !(await addOne(wanted, welcoming, signal))) return
    }
    return
  }
}

function offerWords({ context, cloud }: FoundCluster): string {
  const { name, host, credentials } = context
  const own =
    cloud === null
      ? 'no cloud that clearly belongs to it'
      : `perhaps with cloud ${cloud.cloud} (${BECAUSE[cloud.because]})`
  return `${name}: ${host ?? 'no usable address'}, by ${credentials}; ${own}`
}

const BECAUSE = {
  name: 'similar name',
  host: 'on the same host',
  domain: 'in the same domain',
  only: 'the only one',
} as const satisfies Record<NonNullable<FoundCluster['cloud']>['because'], string>

/** False when the input ended. */
async function addOne(found: FoundCluster, welcoming: Welcoming, signal: AbortSignal): Promise<boolean> {
  const { contract, printer } = welcoming
  const { paths, context } = found
  printer.say('', printer.look.palette.strong(context.name))
  const { execPlugin } = context
  if (execPlugin !== null && !execPlugin.consented) {
    printer.say(...renderExecPlugin(context.name, execPlugin, printer.look))
    if (!(await confirm('Run this command now and from now on?', welcoming, signal))) {
      printer.say('The command was not run, and the cloud was not added.')
      return true
    }
    const agreed = await contract.ask('exec-plugin.consent', {
      paths,
      context: context.name,
      fingerprint: execPlugin.fingerprint,
    })
    if (!agreed.ok) return printFailure(agreed.failure, welcoming)
  }
  printer.say('Which OpenStack cloud belongs to it?')
  const cloud = await chooseNumber('Cloud', await cloudOptions(found, welcoming), welcoming, signal)
  if (cloud === null) return false
  if (cloud === 'not-now') return true
  printer.say('Testing it. This changes nothing.')
  const kubeconfig = { paths, context: context.name }
  const source = cloud === 'none' ? null : cloud
  const tested = await contract.ask('cluster.try', { kubeconfig, cloud: source })
  if (!tested.ok) return printFailure(tested.failure, welcoming)
  printer.say(...testWords(tested.value, welcoming))
  const isReady = tested.value.ok
  if (!(await confirm(isReady ? 'Add it?' : 'It is not ready for maintenance. Add it anyway?', welcoming, signal))) {
    printer.say('The cloud was not added.')
    return true
  }
  return keep(found, source, welcoming, signal)
}

async function keep(
  { paths, context }: FoundCluster,
  cloud: CloudSource | null,
  welcoming: Welcoming,
  signal: AbortSignal,
): Promise<boolean> {
  const { contract, printer } = welcoming
  const production = await confirm(
    'Is it production? You then type its name before anything disruptive.',
    welcoming,
    signal,
  )
  for (;;) {
    const proposed = context.name
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replaceAll(/^[^A-Za-z0-9]+/g, '')
      .slice(0, 63)
    const typed = await askLine(`Its name here [${proposed}]`, welcoming, signal)
    if (typed === null) return false
    const added = await contract.ask('cluster.add', {
      name: typed === '' ? proposed : typed,
      flavour: 'plain',
      kubeconfig: { paths, context: context.name },
      cloud,
      production,
    })
    if (added.ok) {
      const { name } = added.value
      printer.say(
        ...hang(
          '',
          `Added ${name}. For a MOSK or Sunbeam cloud run \`lockkeeper cluster set ${name} --flavour mosk\` (or sunbeam).`,
          printer.look.columns,
        ),
      )
      return true
    }
    printer.warn(...renderFailure(added.failure, printer.warningLook, printer.verbose))
    if (added.failure.code !== 'conflict' && added.failure.code !== 'bad-input') return true
  }
}

function printFailure(failure: Parameters<typeof renderFailure>[0], { printer }: Welcoming): boolean {
  printer.warn(...renderFailure(failure, printer.warningLook, printer.verbose))
  return true
}

/** The best guess first, then every other usable cloud of the usual files. */
async function cloudOptions(
  { cloud: guess }: FoundCluster,
  { contract }: Welcoming,
): Promise<readonly Option<CloudSource | 'none' | 'not-now'>[]> {
  const files = await contract.ask('file.suggest', { kind: 'clouds' })
  const read = await Promise.all(
    (files.ok ? files.value.paths : []).map(path => contract.ask('clouds.inspect', { path })),
  )
  const others = read.flatMap(each =>
    each.ok ? each.value.clouds.map(cloud => ({ path: each.value.path, cloud })) : [],
  )
  const option = (path: string, name: string, host: string | null, more: string): Option<CloudSource> => ({
    words: `${name} (${host ?? 'no address'}) of ${path}${more}`,
    value: { path, cloud: name },
  })
  return [
    ...(guess === null ? [] : [option(guess.path, guess.cloud, guess.host, `: ${BECAUSE[guess.because]}`)]),
    ...others
      .filter(({ path, cloud }) => isUsable(cloud) && !(path === guess?.path && cloud.name === guess.cloud))
      .map(({ path, cloud }) => option(path, cloud.name, cloud.host, '')),
    { words: 'none: this cluster has no OpenStack', value: 'none' },
    { words: 'skip this cloud for now', value: 'not-now' },
  ]
}

function isUsable({ problem }: CloudOffer): boolean {
  return problem === null
}

/** Counts what works; shows the rest, each with its next step. */
function testWords({ items, ok }: ClusterTestReport, { printer }: Welcoming): readonly string[] {
  const { symbols, palette, columns } = printer.look
  const good = items.filter(({ outcome }) => outcome === 'ok').length
  const rest = items.filter(({ outcome }) => outcome !== 'ok')
  const server = items.find(({ name, outcome }) => name === 'API server' && outcome === 'ok')
  return [
    ...(server === undefined ? [] : hang(`${symbols.ok} `, server.message, columns)),
    ...hang(
      `${good > 0 ? symbols.ok : symbols.pending} `,
      `${good} of ${counted(items.length, 'check')} ${good === 1 ? 'passes' : 'pass'}.`,
      columns,
    ),
    ...rest.slice(0, MOST_SHOWN).flatMap(({ outcome, message }, at, shown) => {
      const [sign, paint] =
        outcome === 'warning' || outcome === 'skipped'
          ? ([symbols.warning, palette.warn] as const)
          : ([symbols.blocked, palette.bad] as const)
      return [...hang(`${sign} `, message, columns).map(paint), ...renderRemedy(shown, at, printer.look)]
    }),
    ...(rest.length > MOST_SHOWN
      ? [`And ${rest.length - MOST_SHOWN} more; \`lockkeeper cluster test\` shows all once it is added.`]
      : []),
    ...hang('', ok ? 'It is ready for maintenance.' : 'It is not ready for maintenance.', columns).map(
      ok ? palette.good : palette.bad,
    ),
  ]
}

const MOST_SHOWN = 8
