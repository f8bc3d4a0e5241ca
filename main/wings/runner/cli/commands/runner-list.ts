import type { RunnerStatus } from '../../../../../shared/contract/index.ts'
import { dateAndTime } from '../../../../../shared/grammar/times.ts'
import type { Command } from '../../../../faces/cli/command.ts'
import { reportFailure } from '../../../../faces/cli/report-failure.ts'
import type { Look } from '../../../../faces/cli/words/look.ts'
import { renderTable } from '../../../../faces/cli/words/table.ts'

export const listRunners: Command = async context => {
  const { args, contract, printer } = context
  const found = await contract.ask('runner.list', { cluster: args.operands.CLUSTER ?? null })
  if (!found.ok) return reportFailure(context, found.failure)
  if (printer.json) printer.value(found.value)
  else printer.say(...renderRunners(found.value, printer.look))
  return 0
}

function renderRunners(runners: readonly RunnerStatus[], look: Look): readonly string[] {
  if (runners.length === 0) {
    return [
      'No runner is known. `lockkeeper runner list CLUSTER` looks for one there; docs/runner.md explains how to install one.',
    ]
  }
  return renderTable(
    ['BY', 'NAMESPACE', 'RUNNER', 'CLOUDS', 'STATE'],
    runners.map(({ by, namespace, name, clouds, connection }) => [
      by,
      namespace,
      name ?? 'none',
      clouds.join(', ') || 'none',
      statusWords(connection, look),
    ]),
    look,
  )
}

function statusWords(connection: RunnerStatus['connection'], { clock }: Look): string {
  switch (connection.kind) {
    case 'connected':
      return `connected since ${dateAndTime(connection.since, clock)}`
    case 'lost': {
      const { asOf } = connection
      return `${asOf === null ? 'no answer yet' : `no answer since ${dateAndTime(asOf, clock)}`}: ${connection.why}`
    }
    case 'absent':
      return connection.why
  }
}
