import { type HealthGate, readStopsWhen, stopWords } from '../../../../../shared/domain/health-gates.ts'
import { signalsOf } from '../../../../../shared/domain/signals.ts'
import { because } from '../../../../../shared/words/reasons.ts'
import { refusal } from '../../../../../shared/words/refusal.ts'
import { clusterNamed } from '../../../../faces/cli/cluster-named.ts'
import type { Command } from '../../../../faces/cli/command.ts'
import { reportFailure, reportUsage } from '../../../../faces/cli/report-failure.ts'
import type { Look } from '../../../../faces/cli/words/look.ts'
import { renderTable } from '../../../../faces/cli/words/table.ts'
import { endpointFlags } from '../endpoint-flags.ts'

/** `cluster gate add`: adds a health gate, or changes the one of that name. */
export const addGate: Command = async context => {
  const { args, contract, printer } = context
  const [name, gate] = [args.operand('CLUSTER'), args.operand('GATE')]
  const cluster = await clusterNamed(name, context)
  if (!cluster.ok) return reportFailure(context, cluster.failure)
  const { health } = signalsOf(cluster.value)
  const earlier = health?.gates.find(each => each.name === gate)
  const query = args.text('query') ?? earlier?.query
  if (query === undefined) return reportUsage(context, 'Give the query: --query PROMQL.')
  const said = args.text('stops-when')
  const stopsWhen = said === null ? earlier?.stopsWhen : readStopsWhen(said)
  if (stopsWhen === undefined || stopsWhen === null) {
    return reportUsage(context, 'Give --stops-when with a comparison and a number, such as "> 0.01".')
  }
  const given = await endpointFlags(health?.endpoint ?? null, context)
  if (!given.ok) return reportFailure(context, given.failure)
  const { endpoint, secret } = given.value
  const gates = [...(health?.gates ?? []).filter(each => each.name !== gate), { name: gate, query, stopsWhen }]
  const kept = await contract.ask('gates.keep', { cluster: name, settings: { endpoint, gates }, secret })
  if (!kept.ok) return reportFailure(context, kept.failure)
  const now = signalsOf(kept.value).health?.gates ?? []
  if (printer.json) printer.value(now)
  else printer.say(...renderGates(now, printer.look))
  return 0
}

export const listGates: Command = async context => {
  const { args, printer } = context
  const cluster = await clusterNamed(args.operand('CLUSTER'), context)
  if (!cluster.ok) return reportFailure(context, cluster.failure)
  const gates = signalsOf(cluster.value).health?.gates ?? []
  if (printer.json) printer.value(gates)
  else printer.say(...renderGates(gates, printer.look))
  return 0
}

export const testGates: Command = async context => {
  const { args, contract, printer } = context
  const tested = await contract.ask('gates.test', { cluster: args.operand('CLUSTER') })
  if (!tested.ok) return reportFailure(context, tested.failure)
  const { symbols, palette } = printer.look
  if (printer.json) printer.value(tested.value)
  else {
    printer.say(
      ...tested.value.map(({ name, kind, words }) =>
        kind === 'healthy'
          ? palette.good(`${symbols.ok} ${name}: ${words}`)
          : palette.bad(`${symbols.blocked} ${name}: ${kind === 'stops' ? '' : 'no result: '}${words}`),
      ),
    )
  }
  return tested.value.every(({ kind }) => kind === 'healthy') ? 0 : 3
}

export const removeGate: Command = async context => {
  const { args, contract, printer } = context
  const [name, gate] = [args.operand('CLUSTER'), args.operand('GATE')]
  const cluster = await clusterNamed(name, context)
  if (!cluster.ok) return reportFailure(context, cluster.failure)
  const { health } = signalsOf(cluster.value)
  const gates = (health?.gates ?? []).filter(each => each.name !== gate)
  if (health === null || gates.length === health.gates.length) {
    return reportFailure(context, refusal('not-found', because('NoSuchHealthGate', { cluster: name, gate })))
  }
  const settings = gates.length === 0 ? null : { ...health, gates }
  const kept = await contract.ask('gates.keep', { cluster: name, settings, secret: null })
  if (!kept.ok) return reportFailure(context, kept.failure)
  if (printer.json) printer.value({ removed: gate })
  else printer.say(`Removed health gate "${gate}" of ${name}.`)
  return 0
}

function renderGates(gates: readonly HealthGate[], look: Look): readonly string[] {
  if (gates.length === 0) return ['There is no health gate. Add one: `lockkeeper cluster gate add`']
  return renderTable(
    ['GATE', 'STOPS WHEN', 'QUERY'],
    gates.map(({ name, query, stopsWhen }) => [name, stopWords(stopsWhen), query]),
    look,
  )
}
