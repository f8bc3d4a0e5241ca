import { resolve } from 'node:path'
import type { Cluster } from '../../../../shared/domain/cluster.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { cleanContract } from '../clean-contract.ts'
import type { Command, CommandContext } from '../command.ts'
import { doctor } from '../commands/doctor.ts'
import { serve } from '../commands/serve.ts'
import { renderFailure } from '../render/render-failure.ts'
import { hang } from '../words/width.ts'
import { addFound, foundClusters } from './add-found.ts'
import { chooseNumber, type Option } from './choose-number.ts'
import { cloudStatusOf, waitingLines } from './cloud-status.ts'

type Wish = 'console' | 'demo' | 'add' | 'doctor' | 'quit'

/** Items shown; the rest is counted. */
const MOST_WAITING = 8

/** `lockkeeper` alone at a terminal: the state of the clusters and what needs you, or how to start; then the next actions. */
export const welcome: Command = async context => {
  const never = new AbortController().signal
  for (;;) {
    const wish = await greet(context, never)
    switch (wish) {
      case 'console':
        return serve(context)
      case 'demo':
        return serve({ ...context, args: context.args.with('demo') })
      case 'doctor':
        await doctor(context)
        context.printer.say('')
        continue
      case 'add':
        continue
      case 'quit':
      case null:
        return 0
    }
  }
}

/** Opens the application only while it asks; closes it before anything else opens the same data. */
async function greet(context: CommandContext, signal: AbortSignal): Promise<Wish | null> {
  const { printer, io, args } = context
  const dataDirectory = args.text('data-dir')
  const app = await io.openApp({
    dataDirectory: dataDirectory === null ? null : resolve(io.workDirectory, dataDirectory),
    demo: args.isSet('demo'),
  })
  if (!app.ok) {
    printer.warn(...renderFailure(app.failure, printer.warningLook, printer.verbose))
    return chooseNumber('What next', [DOCTOR, DEMO, QUIT], context, signal)
  }
  let isOpen = true
  const close = async () => {
    if (isOpen) await app.value.close()
    isOpen = false
  }
  context.atEnd(close)
  try {
    const opened = { ...context, contract: cleanContract(app.value.contract) }
    const clusters = await opened.contract.ask('cluster.list', {})
    if (!clusters.ok) {
      printer.warn(...renderFailure(clusters.failure, printer.warningLook, printer.verbose))
      return await chooseNumber('What next', [DOCTOR, DEMO, QUIT], context, signal)
    }
    const wish = clusters.value.length === 0 ? await begin(opened, signal) : await goOn(clusters.value, opened, signal)
    return wish
  } finally {
    await close()
  }
}

const CONSOLE: Option<Wish> = { words: 'open the console in a browser on this machine', value: 'console' }
const DEMO: Option<Wish> = {
  words: 'try the demo: the console with four demo clouds; nothing else changes',
  value: 'demo',
}
const DOCTOR: Option<Wish> = { words: 'doctor: what works here and what is missing', value: 'doctor' }
const QUIT: Option<Wish> = { words: 'quit', value: 'quit' }

async function begin(context: CommandContext, signal: AbortSignal): Promise<Wish | null> {
  const { printer } = context
  const { palette, columns } = printer.look
  printer.say(
    palette.strong('Lockkeeper'),
    ...hang(
      '',
      'The maintenance console for OpenStack clouds that run on Kubernetes. No cloud is registered yet.',
      columns,
    ),
    '',
  )
  const found = await foundClusters(context)
  const add: Option<Wish> = {
    words: `add ${counted(found.length, 'cluster')} found in kubeconfigs and clouds.yaml on this machine; each is tested first`,
    value: 'add',
  }
  if (found.length === 0) {
    printer.say(
      ...hang(
        '',
        'No cloud was found on this machine. `lockkeeper cluster add --help` explains how to name a kubeconfig.',
        columns,
      ),
      '',
    )
  }
  const wish = await chooseNumber(
    'What next',
    [DEMO, ...(found.length === 0 ? [] : [add]), CONSOLE, DOCTOR, QUIT],
    context,
    signal,
  )
  if (wish === 'add') await addFound(found, context, signal)
  return wish
}

/** Shows the state of the clusters, what needs you, and the next actions. */
async function goOn(clusters: readonly Cluster[], context: CommandContext, signal: AbortSignal): Promise<Wish | null> {
  const { contract, printer, io } = context
  const { palette, columns, symbols } = printer.look
  const width = Math.min(30, Math.max(...clusters.map(({ name }) => name.length)))
  const statuses = clusters.map(cluster => cloudStatusOf(cluster, contract, io))
  for (const [at, cluster] of clusters.entries()) {
    const name = `${cluster.name.padEnd(width)}  ${cluster.production ? 'production; ' : ''}`
    printer.say(...hang(name, (await statuses[at]) ?? '', columns))
  }
  const runs = await contract.ask('run.list', { cluster: null })
  const windows = await contract.ask('window.list', { cluster: null })
  const unreported = [runs, windows].flatMap(each => (each.ok ? [] : [each.failure]))
  for (const failure of unreported) printer.warn(...renderFailure(failure, printer.warningLook, printer.verbose))
  const waiting = waitingLines(runs.ok ? runs.value : [], windows.ok ? windows.value : [])
  printer.say('')
  if (waiting.length > 0) {
    printer.say(palette.strong('Needs you'))
    for (const line of waiting.slice(0, MOST_WAITING))
      printer.say(...hang(`${symbols.warning} `, line, columns).map(palette.warn))
    if (waiting.length > MOST_WAITING)
      printer.say(`  and ${waiting.length - MOST_WAITING} more: \`lockkeeper runs\`, \`lockkeeper window list\``)
    printer.say('')
  } else if (unreported.length === 0) printer.say('Nothing needs you.', '')
  const found = context.args.isSet('demo') ? [] : await foundClusters(context)
  const add: Option<Wish> = {
    words: `add ${counted(found.length, 'more cloud')} found on this machine; each is tested first`,
    value: 'add',
  }
  const wish = await chooseNumber(
    'What next',
    [CONSOLE, DOCTOR, ...(found.length === 0 ? [] : [add]), QUIT],
    context,
    signal,
  )
  if (wish === 'add') await addFound(found, context, signal)
  return wish
}
