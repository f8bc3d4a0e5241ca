import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { JujuPort } from '../../ports/juju.ts'
import { ApplicationSettings, commandOutputOf, FullStatus, isStatusOf, settingsOf, statusOf } from './juju-answers.ts'
import { createJujuModel } from './juju-model.ts'
import { runTask, tagOf } from './juju-tasks.ts'
import type { ResolvedJuju } from './resolved-juju.ts'

const NANOSECONDS_PER_MS = 1_000_000

/** Juju for the procedures (main/ports). Logs in at the first call, and again after the connection broke. */
export function createJujuPort(options: {
  readonly resolve: () => Promise<Result<ResolvedJuju>>
  readonly clock: Clock
  readonly log: Logger
}): { readonly port: JujuPort; close(): void } {
  const { clock } = options
  const model = createJujuModel(options)
  const port: JujuPort = {
    status: async signal => {
      const held = await model.facts(signal)
      if (!held.ok) return held
      const answer = await model.call({
        doing: call('ReadJujuStatus'),
        facade: 'client',
        use: facade => facade.fullStatus({ patterns: [] }),
        shape: FullStatus,
        isAsked: reported => isStatusOf(reported, held.value.model),
        signal,
        repeatable: true,
      })
      if (!answer.ok) return failed(answer.failure)
      const facts = await model.facts(signal)
      return facts.ok ? ok(statusOf(answer.value, facts.value)) : facts
    },
    applicationConfig: async (application, signal) => {
      const answer = await model.call({
        doing: call('ReadJujuSettings', { application }),
        facade: 'application',
        use: facade => facade.get({ application, branch: MAIN_BRANCH }),
        shape: ApplicationSettings,
        isAsked: reported => (reported.application === application ? null : because('JujuAnswerOfOtherApplication')),
        signal,
        repeatable: true,
      })
      return answer.ok ? ok(settingsOf(answer.value)) : failed(answer.failure)
    },
    runAction: async (unit, action, parameters, { timeoutMs, signal }) =>
      runTask(model, clock, {
        doing: call('RunJujuAction', { action, unit }),
        unit,
        action,
        enqueue: facade =>
          facade.enqueueOperation({
            actions: [{ receiver: tagOf(unit), name: action, parameters: { ...parameters }, tag: '' }],
          }),
        timeoutMs,
        signal,
      }),
    exec: async (unit, command, { timeoutMs, signal }) => {
      const doing = call('RunOnJujuUnit', { command, unit })
      const outcome = await runTask(model, clock, {
        doing,
        unit,
        action: null,
        enqueue: facade =>
          facade.run({ commands: command, timeout: timeoutMs * NANOSECONDS_PER_MS, units: [unit], parallel: true }),
        timeoutMs,
        signal,
      })
      if (!outcome.ok) return outcome
      const output = commandOutputOf(outcome.value)
      if (output !== null) return ok(output)
      const { id, status, message } = outcome.value
      const code = /timed out|time ?out/i.test(message) ? 'timed-out' : 'server-fault'
      const ended = because('JujuTaskEnded', { call: doing, task: id, status, output: message })
      return failed(refusal(code, ended, { target: `unit/${unit}` }))
    },
  }
  return { port, close: () => model.close() }
}

/** The branch with the settings in force, not one under trial (Juju `core/model/generation.go`, GenerationMaster). */
const MAIN_BRANCH = 'master'
