import { minutes, seconds } from '../../../shared/domain/durations.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import type { JujuUnit } from '../../../shared/domain/juju.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { MicroCephPort } from '../../ports/ceph.ts'
import type { JujuPort } from '../../ports/juju.ts'
import type { CommandOutput } from '../../ports/kubernetes.ts'
import { readMicroCephOutcome } from './microceph-outcome.ts'
import type { RunCeph } from './toolbox.ts'

const APPLICATION = 'microceph'

/** Stopping or starting a machine's OSDs takes its time. */
const ACTION_LIMIT_MS = minutes(5)
const COMMAND_LIMIT_MS = seconds(60)

/** MicroCeph's charm actions, on the unit of one node (docs/domain.md C.2). */
export function createMicroCeph(juju: JujuPort): MicroCephPort {
  async function act(
    node: string,
    action: 'enter-maintenance' | 'exit-maintenance',
    parameters: Readonly<Record<string, boolean>>,
    hasSteps: boolean,
    signal?: AbortSignal,
  ) {
    const units = await microCephUnits(juju, signal)
    if (!units.ok) return units
    const unit = units.value.find(({ hostname }) => hostname !== null && isHostOf(hostname, node))
    if (unit === undefined) return failed(noUnit(node, units.value))
    const more = { timeoutMs: ACTION_LIMIT_MS, ...(signal === undefined ? {} : { signal }) }
    const outcome = await juju.runAction(unit.name, action, parameters, more)
    return outcome.ok ? readMicroCephOutcome(outcome.value, action, unit.name, hasSteps) : outcome
  }
  return {
    // The charm's own defaults are not ours: set-noout is true there. Every choice is said.
    enterMaintenance: (node, choices, signal) =>
      act(
        node,
        'enter-maintenance',
        {
          'set-noout': choices.setNoout,
          'stop-osds': choices.stopOsds,
          'check-only': choices.checkOnly,
          'dry-run': choices.dryRun,
          'ignore-check': choices.ignoreCheck,
          force: choices.force,
        },
        !choices.ignoreCheck || (!choices.checkOnly && (choices.setNoout || choices.stopOsds)),
        signal,
      ),
    exitMaintenance: (node, choices, signal) =>
      act(
        node,
        'exit-maintenance',
        {
          'check-only': choices.checkOnly,
          'dry-run': choices.dryRun,
          'ignore-check': choices.ignoreCheck,
        },
        !choices.checkOnly,
        signal,
      ),
  }
}

/**
 * `microceph.ceph` on any MicroCeph unit that answers, by `juju exec`. The unit that answered last is asked again; one that does not answer is
 * passed over, for its machine may be the one that is maintained.
 */
export function cephByJuju(juju: JujuPort): RunCeph {
  let known: string | null = null
  return async (words, signal) => {
    const command = ['microceph.ceph', ...words, '--format', 'json'].map(quoted).join(' ')
    const run = (unit: string) =>
      juju.exec(unit, command, { timeoutMs: COMMAND_LIMIT_MS, ...(signal === undefined ? {} : { signal }) })
    const passed = new Set<string>()
    let last: Result<CommandOutput> | null = null
    if (known !== null) {
      last = await run(known)
      if (!isUnitsOwn(last, words)) return last
      passed.add(known)
      known = null
    }
    const units = await microCephUnits(juju, signal)
    if (!units.ok) return units
    for (const { name } of units.value.filter(answers)) {
      if (passed.has(name)) continue
      last = await run(name)
      if (last.ok) known = name
      if (!isUnitsOwn(last, words)) return last
    }
    return last ?? failed(noneAnswers(units.value))
  }
}

async function microCephUnits(juju: JujuPort, signal?: AbortSignal): Promise<Result<readonly JujuUnit[]>> {
  const status = await juju.status(signal)
  if (!status.ok) return status
  const units = status.value.units.filter(({ application }) => application === APPLICATION)
  if (units.length > 0) return ok(units)
  return failed(
    failure(
      'not-found',
      `Juju model ${status.value.model} has no application ${APPLICATION}. Name the model of the machines in this cluster's settings, or say how else its Ceph is asked.`,
    ),
  )
}

/** A unit whose agent is lost, or still being set up, answers nothing. */
function answers({ agent }: JujuUnit): boolean {
  return agent.status === 'idle' || agent.status === 'executing'
}

/**
 * Whether another unit may be asked: this one surely did nothing, or was only asked to read. What changes something is never sent twice
 * after a silence: the caller looks first.
 */
function isUnitsOwn(answer: Result<CommandOutput>, words: readonly string[]): boolean {
  if (answer.ok) return false
  const { code } = answer.failure
  if (code === 'not-found') return true
  return (code === 'timed-out' || code === 'unreachable') && !CHANGES.test(words.join(' '))
}

const CHANGES = /^osd (un)?set(-group)? /

function isHostOf(hostname: string, node: string): boolean {
  return hostname === node || hostname === node.split('.')[0] || hostname.split('.')[0] === node
}

function noUnit(node: string, units: readonly JujuUnit[]): Failure {
  const hosts = units.map(({ name, hostname }) => `${name} on ${hostname ?? 'a machine without a name'}`).join(', ')
  return failure('not-found', `No MicroCeph unit runs on ${node}: ${hosts}. Is the node named like its machine?`, {
    target: `node/${node}`,
  })
}

function noneAnswers(units: readonly JujuUnit[]): Failure {
  const states = units.map(({ name, agent }) => `${name} is ${agent.status}`).join(', ')
  return failure('unreachable', `Ceph cannot be asked: no MicroCeph unit answers (${states}). Look at \`juju status\`.`)
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w.,:=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
