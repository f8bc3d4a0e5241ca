import type { ControllersStatus } from '../../../../shared/contract/index.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { reportFailure } from '../report-failure.ts'
import { renderTable } from '../words/table.ts'

/** How often a waiting process asks for the Lease. */
const ASK_AGAIN_MS = 2_000

/** `controllers run`: runs until Ctrl-C; waits while another process holds the Lease. */
export const runControllers: Command = async context => {
  const { args, contract, printer, interruptions, io } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const stopping = new AbortController()
  interruptions.handle(() => stopping.abort())
  const stopped = new Promise<void>(resolve =>
    stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  let reported = ''
  let lines = new Map<string, string>()
  let wake: () => void = () => {}
  const forget = contract.listen('controllers.changed', status => {
    if (status.cluster !== cluster) return
    lines = printChanges(status, lines, context)
    if (status.state !== 'here') wake()
  })
  try {
    while (!stopping.signal.aborted) {
      const ended = new Promise<void>(resolve => {
        wake = resolve
      })
      const started = await contract.ask('controllers.start', { cluster })
      if (!started.ok && !started.failure.retryable && started.failure.code !== 'held') {
        return reportFailure(context, started.failure)
      }
      if (started.ok) {
        const names = started.value.controllers.filter(({ choice }) => choice === 'console').map(one => one.controller)
        printer.say(`Answering for ${names.join(', ')} on ${cluster}. Ctrl-C stops.`)
        reported = ''
        await Promise.race([ended, stopped])
      } else if (reported !== started.failure.message) {
        reported = started.failure.message
        printer.say(`Waiting: ${reported}`)
      }
      await Promise.race([io.clock.sleep(ASK_AGAIN_MS, stopping.signal), stopped])
    }
    await contract.ask('controllers.stop', { cluster })
    printer.say(
      'The controllers stopped. The locks record unfinished work; the next console that runs controllers continues it.',
    )
    return 0
  } finally {
    forget()
  }
}

export const showControllers: Command = async context => {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const found = await contract.ask('controllers.status', { cluster })
  if (!found.ok) return reportFailure(context, found.failure)
  const { state, heldBy, trouble, controllers } = found.value
  if (printer.json) printer.value(found.value)
  else {
    printer.say(
      STATES[state] + (heldBy === null ? '' : ` (${heldBy})`) + (trouble === null ? '.' : `. ${trouble}`),
      ...renderTable(
        ['CONTROLLER', 'ANSWERED BY', 'BUSY WITH'],
        controllers.map(one => [one.controller, one.choice, one.busyWith.join('; ') || '-']),
        printer.look,
      ),
    )
  }
  return state === 'stopped' ? 3 : 0
}

export const detectControllers: Command = async context => {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const found = await contract.ask('controllers.detect', { cluster })
  if (!found.ok) return reportFailure(context, found.failure)
  if (printer.json) printer.value(found.value)
  else {
    printer.say(
      ...renderTable(
        ['CONTROLLER', 'PROPOSED', 'WHY'],
        found.value.map(one => [one.controller, one.choice, one.why]),
        printer.look,
      ),
    )
  }
  return 0
}

const STATES: Readonly<Record<ControllersStatus['state'], string>> = {
  here: 'This process runs them',
  elsewhere: 'Another process runs them',
  stopped: 'No process runs them',
  'not-used': 'No application is set to `console`',
}

/** Prints what each controller does when that changes. */
function printChanges(
  status: ControllersStatus,
  before: ReadonlyMap<string, string>,
  { printer }: CommandContext,
): Map<string, string> {
  const now = new Map<string, string>()
  for (const { controller, busyWith } of status.controllers) {
    for (const line of busyWith) now.set(`${controller} ${line.split(': ')[0] ?? ''}`, `${controller}  ${line}`)
  }
  if (printer.json) printer.value(status)
  else {
    for (const [key, line] of now) if (before.get(key) !== line) printer.say(line)
    for (const key of before.keys()) if (!now.has(key)) printer.say(`${key}: idle`)
  }
  if (status.trouble !== null) printer.say(status.trouble)
  return now
}
