import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { RunEvent } from '../../../../shared/domain/run.ts'
import type { RunnerHealth } from '../runner.ts'

/** The metrics of a runner. They contain no names of nodes, instances or people. */
export interface RunnerMetrics {
  readonly contentType: string
  text(): Promise<string>
  received(event: Pick<RunEvent, 'seq' | 'body'>): void
  asked(system: 'kubernetes' | 'openstack'): void
}

export function createRunnerMetrics(status: () => RunnerHealth): RunnerMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  addHealthGauges(status, registers)
  const steps = new Counter({
    name: 'lockkeeper_steps_total',
    help: 'Steps that ended in this process, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const head = new Gauge({
    name: 'lockkeeper_journal_head',
    help: 'Number of the newest event of the journal.',
    registers,
  })
  const requests = new Counter({
    name: 'lockkeeper_api_requests_total',
    help: 'Requests sent to Kubernetes and OpenStack, retries included.',
    labelNames: ['system'],
    registers,
  })
  const kinds = new Map<string, string>()
  /** Events of a run before its hand-over arrive in one batch; their steps were not carried out here. */
  let isReported = false
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    received: ({ seq, body }) => {
      head.set(seq)
      if (body.kind === 'run-created') for (const step of body.plan.steps) kinds.set(step.id, step.kind)
      const outcome = OUTCOMES[body.kind]
      if (body.kind === 'run-created') isReported = body.asked === undefined
      if (body.kind === 'run-taken-over') isReported = false
      if (!isReported && outcome !== undefined && 'stepId' in body)
        steps.inc({ kind: kinds.get(body.stepId) ?? 'other', outcome })
    },
    asked: system => requests.inc({ system }),
  }
}

function addHealthGauges(status: () => RunnerHealth, registers: Registry[]): void {
  new Gauge({
    name: 'lockkeeper_runs',
    help: 'MaintenanceRuns by their phase; New: no runner has read it.',
    labelNames: ['phase'],
    registers,
    collect() {
      this.reset()
      for (const [phase, runs] of status().runsByPhase) this.set({ phase }, runs)
    },
  })
  new Gauge({
    name: 'lockkeeper_campaigns',
    help: 'MaintenanceCampaigns by their phase; Stopped: too many runs failed; waits for an operator.',
    labelNames: ['phase'],
    registers,
    collect() {
      this.reset()
      for (const [phase, campaigns] of status().campaignsByPhase) this.set({ phase }, campaigns)
    },
  })
  new Gauge({
    name: 'lockkeeper_questions_waiting',
    help: 'Runs with an open question for an operator.',
    registers,
    collect() {
      this.set(status().questionsWaiting)
    },
  })
  new Gauge({
    name: 'lockkeeper_lease_held',
    help: 'Clouds with work: 1 while this runner holds the Lease, 0 while it waits for it.',
    labelNames: ['cloud'],
    registers,
    collect() {
      this.reset()
      for (const [cloud, isHeld] of status().leases) this.set({ cloud }, isHeld ? 1 : 0)
    },
  })
  new Gauge({
    name: 'lockkeeper_clouds',
    help: 'Clouds that the runner knows by their Secrets.',
    registers,
    collect() {
      this.set(status().cloudsKnown)
    },
  })
  new Gauge({
    name: 'lockkeeper_ready',
    help: '1 while the runner may start runs; /readyz says why it may not.',
    registers,
    collect() {
      this.set(status().notReady.length === 0 ? 1 : 0)
    },
  })
}

const OUTCOMES: Readonly<Record<string, string>> = {
  'step-applied': 'applied',
  'step-failed': 'failed',
  'step-skipped': 'skipped',
}
