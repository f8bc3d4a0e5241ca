import type { JujuPort } from '../../main/ports/juju.ts'
import type { JujuWorld } from '../../main/wings/simulators/juju/juju-world.ts'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { Dice } from './dice.ts'
import type { FaultPlan } from './faults.ts'
import type { Judge } from './judge.ts'
import type { Machine } from './machine.ts'
import type { Timeline } from './timeline.ts'

/** What a process has at its end of Juju. */
interface JujuParts {
  readonly timeline: Timeline
  readonly machine: Machine
  readonly from: string
  readonly world: JujuWorld
  readonly faults: FaultPlan
  readonly dice: Dice
  readonly latencyMs: readonly [number, number]
  readonly isAlive: () => boolean
  readonly judge: Pick<Judge, 'reaching' | 'arrived'>
  readonly onMessage: () => void
  readonly trace: (line: string) => void
}

/** What an operation of Juju is about. */
interface Call<T> {
  readonly words: string
  /** The machine whose unit does it, and by which action; null: it only asks. */
  readonly action: { readonly hostname: string; readonly name: string; readonly changes: boolean } | null
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly serve: () => Promise<T>
}

/** Juju as the procedures see it: its model answers after a while, not at all, or twice. What crosses its real wire is not played here. */
export function createSimulatedJuju(parts: JujuParts): JujuPort {
  const { timeline, machine, from, world, faults, dice, isAlive, judge, trace } = parts
  const latency = () => dice.between(...parts.latencyMs)
  const unitOf = (name: string) => world.applications.flatMap(({ units }) => units).find(unit => unit.name === name)
  const hostOf = (name: string) => world.machines.find(({ id }) => id === unitOf(name)?.machine)?.hostname ?? ''
  const silent = (code: 'unreachable' | 'timed-out' | 'aborted') =>
    failed(failure(code, 'Juju gave no answer.', { retryable: code !== 'aborted', target: 'juju/sim' }))

  function callController<T>({ words, action, timeoutMs, signal, serve }: Call<T>): Promise<Result<T>> {
    return new Promise(resolve => {
      if (signal?.aborted) {
        resolve(silent('aborted'))
        return
      }
      const sentAtMs = timeline.now()
      const fault = faults.meet(sentAtMs, `juju ${words}`)
      trace(`${from} asks juju ${words}${fault === null ? '' : ` ${JSON.stringify(fault)}`}`)
      const report = (answer: Result<T>) => {
        if (isAlive()) resolve(answer)
      }
      signal?.addEventListener('abort', () => report(silent('aborted')), { once: true })
      const inTime = machine.alarm(timeoutMs, () => report(silent('timed-out')))
      const back = (answer: Result<T>) => {
        timeline.at(timeline.now() + latency(), () =>
          machine.whenAwake(() => {
            inTime()
            report(answer)
          }),
        )
      }
      const carryOut = async (copy: boolean): Promise<T> => {
        parts.onMessage()
        const method = action?.changes === true ? 'POST' : 'GET'
        const target = `/units/${action?.hostname ?? ''}/${action?.name ?? ''}`
        const reached = judge.reaching(from, 'juju', method, target, '')
        const answer = await serve()
        const arrival = { from, sentAtMs, atMs: timeline.now(), api: 'juju', method, target, body: '' } as const
        judge.arrived({ ...arrival, status: 200, copy }, reached)
        return answer
      }
      const isLost = fault?.kind === 'request-lost' || fault?.kind === 'status' || fault?.kind === 'lie'
      timeline.at(sentAtMs + latency() + (fault?.kind === 'slow' ? fault.ms : 0), () => {
        if (isLost) {
          if (fault.kind !== 'request-lost' || !fault.silent) back(silent('unreachable'))
          return
        }
        void carryOut(false).then(async answer => {
          if (fault?.kind === 'twice' && action?.changes !== true) await carryOut(true)
          if (fault?.kind !== 'answer-lost') back(ok(answer))
          else if (!fault.silent) back(silent('unreachable'))
        })
      })
    })
  }

  return {
    status: signal =>
      callController({
        words: 'status',
        action: null,
        timeoutMs: 30_000,
        signal,
        serve: async () => ({
          model: `${world.model.owner}/${world.model.name}`,
          cloudType: world.model.cloudType,
          controllerVersion: '3.6.9',
          units: world.applications.flatMap(application =>
            application.units.map((unit, index) => ({
              name: unit.name,
              application: application.name,
              machine: unit.machine,
              hostname: hostOf(unit.name),
              workload: { status: 'active', message: '' },
              agent: { status: 'idle', message: '' },
              isLeader: index === 0,
            })),
          ),
        }),
      }),
    applicationConfig: (name, signal) =>
      callController({
        words: `config ${name}`,
        action: null,
        timeoutMs: 30_000,
        signal,
        serve: async () => world.applications.find(application => application.name === name)?.config ?? {},
      }),
    runAction: (unit, action, parameters, { timeoutMs, signal }) => {
      const hostname = hostOf(unit)
      const handler = world.applications.find(({ units }) => units.some(({ name }) => name === unit))?.actions[action]
      return callController({
        words: `run ${action} on ${unit} ${JSON.stringify(parameters)}`,
        action: {
          hostname,
          name: action,
          changes: parameters['dry-run'] !== true && parameters['check-only'] !== true,
        },
        timeoutMs,
        signal,
        serve: async () => {
          const ended = await handler?.({ unit, hostname, action, parameters })
          const { status = 'failed', message = '', output = {} } = ended ?? {}
          return { id: '1', status, message, output }
        },
      })
    },
    exec: (unit, command, { timeoutMs, signal }) =>
      callController({
        words: `exec ${command} on ${unit}`,
        action: null,
        timeoutMs,
        signal,
        serve: async () => world.onExec({ unit, hostname: hostOf(unit), command }),
      }),
  }
}
