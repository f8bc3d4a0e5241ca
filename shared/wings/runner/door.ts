import { ATTACH_REASONS } from './reasons/attach.ts'
import { CAMPAIGN_RUNS_REASONS } from './reasons/campaign-runs.ts'
import { CAMPAIGNS_REASONS } from './reasons/campaigns.ts'
import { HAND_OVER_REASONS } from './reasons/hand-over.ts'
import { RUNNER_REASONS } from './reasons/runner.ts'
import { RUNNER_CONTROLS_REASONS } from './reasons/runner-controls.ts'
import { RUNNER_PLANS_REASONS } from './reasons/runner-plans.ts'

/** The texts of refusals and reports of this wing, by code. */
export const reasonsOfRunners = {
  ...ATTACH_REASONS,
  ...CAMPAIGN_RUNS_REASONS,
  ...CAMPAIGNS_REASONS,
  ...HAND_OVER_REASONS,
  ...RUNNER_CONTROLS_REASONS,
  ...RUNNER_PLANS_REASONS,
  ...RUNNER_REASONS,
}
