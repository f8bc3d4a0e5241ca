import type { Contract } from '../../shared/contract/index.ts'
import type { Events } from '../api/events.ts'
import type { JournalTail } from '../journal/journal-tail.ts'
import { createPlanRemaker } from '../run-control/remake-plan.ts'
import { type RunsOfProcess, runsAs } from '../runs/run-service.ts'
import { type GivenRun, takeOverRun } from '../runs/take-over.ts'
import { createPlanEstimate } from '../windows/plan-estimate.ts'
import { type Answering, contractOver } from './answers.ts'
import type { Foundation } from './foundation.ts'

/** The application as a runner uses it: in the name of the person who confirmed, with what no face may request. */
export function runnerAppOf(
  answering: Answering,
  parts: Foundation & {
    readonly contract: Contract
    readonly runs: RunsOfProcess
    readonly tail: JournalTail
    readonly events: Events
  },
) {
  const { services } = answering
  const { contract, runs, tail, journal, driver, clock } = parts
  return {
    driver,
    contract,
    runs,
    journal,
    keepPlan: services.plans.keep,
    leave: runs.leave,
    takeOver: (given: GivenRun) =>
      takeOverRun(given, {
        journal,
        driver,
        clock,
        knowsWindow: id => journal.windows.idsBeginningWith(id).includes(id),
        onEvent: tail.wrote,
      }),
    estimate: createPlanEstimate(services),
    remake: createPlanRemaker(services),
    as: (who: Parameters<typeof runsAs>[1]) =>
      contractOver({ ...answering, services: { ...services, runs: runsAs(runs, who) } }, parts).ask,
  }
}
